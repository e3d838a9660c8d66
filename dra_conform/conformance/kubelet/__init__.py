"""What a kubelet asks of DRA drivers and gives to containers, with one observation for each action."""
