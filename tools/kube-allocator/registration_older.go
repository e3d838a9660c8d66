//go:build kube34 || kube35

package main

// registration is the registration of a handler that is synced.
type registration struct{}
