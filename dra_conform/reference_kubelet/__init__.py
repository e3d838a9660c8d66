"""The reference kubelet, limited to DRA: it registers drivers and prepares ResourceClaims.

`python -m dra_conform.reference_kubelet` reads the commands that `adapters.kubelet.program` lists.
"""
