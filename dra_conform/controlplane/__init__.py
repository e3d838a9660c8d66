"""The simulated control plane.

`apiserver` admits writes, `simulation` runs scenarios on a cluster, and `attempts` runs scheduling attempts.
`rehearsal` previews the pods and claims of manifests, and `dry_run` their writes. `parts` has the interfaces
of the parts that another implementation can replace.
"""
