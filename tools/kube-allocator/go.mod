module kube-allocator

go 1.26.0

require (
	k8s.io/dynamic-resource-allocation v0.37.2
	kube-adapter v0.0.0
)

replace kube-adapter => ../kube-adapter
