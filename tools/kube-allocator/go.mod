module kube-allocator

go 1.26.0

require k8s.io/dynamic-resource-allocation v0.37.2
