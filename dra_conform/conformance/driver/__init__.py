"""The operation `driver`: what a DRA driver answers the kubelet, publishes and leaves behind on a node."""
