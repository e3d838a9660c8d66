// Command parts serves plugins of Kubernetes by dra-conform's adapter protocol: the quota evaluators of the API server,
// and the scheduler's node resource usage and attempts.
//
// It links the code of one of the releases of Kubernetes that build.sh lists.
package main

import (
	"fmt"
	"os"

	"k8s.io/klog/v2"

	"kube-adapter"
	"kube-control-plane/gates"
)

func main() {
	// Feature gates and plugins write logs, which are discarded.
	klog.SetLogger(klog.Logger{})
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kube-parts:", err)
		os.Exit(1)
	}
}

func run() error {
	switches, err := gates.New()
	if err != nil {
		return err
	}
	return adapter.Serve(&parts{gates: switches})
}
