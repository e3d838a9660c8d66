//go:build !kube34 && !kube35

package main

import "k8s.io/client-go/tools/cache"

// registration is the registration of a handler that is synced.
type registration struct{}

func (r registration) HasSyncedChecker() cache.DoneChecker { return r }

func (r registration) Name() string { return "listed" }

func (r registration) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
