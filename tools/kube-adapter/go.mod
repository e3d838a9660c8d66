module kube-adapter

go 1.26.0
