"""The simulated control plane.

`apiserver` (what becomes of a write), `simulation` (stories on a cluster), `placement` (claims of real
manifests put on nodes), `parts` (what of it an implementation under judgement can take over).
"""
