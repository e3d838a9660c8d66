"""A reference kubelet, as far as dynamic resources go: it registers DRA drivers and prepares ResourceClaims.

`python -m dra_conform.reference_kubelet` reads the commands that `adapters.kubelet.program` lists.
"""
