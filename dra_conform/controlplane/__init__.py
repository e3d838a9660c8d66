"""The simulated control plane.

`apiserver` (what becomes of a write), `simulation` (stories on a cluster), `rehearsal` (what comes of the
pods and claims of real manifests), `parts` (what of it an implementation under judgement can take over).
"""
