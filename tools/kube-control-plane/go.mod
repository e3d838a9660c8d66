module kube-control-plane

go 1.26.0

require (
	k8s.io/kubernetes v1.37.1
	kube-adapter v0.0.0
)

replace kube-adapter => ../kube-adapter
