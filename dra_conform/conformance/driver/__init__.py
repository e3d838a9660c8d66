"""The operation `driver`: a DRA driver's answers to the kubelet, ResourceSlices, and files on the node."""
