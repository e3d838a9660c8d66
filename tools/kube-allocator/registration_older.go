//go:build kube34 || kube35

package main

// registration is that of a handler that has seen everything.
type registration struct{}
