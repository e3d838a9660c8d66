// Command parts puts what Kubernetes counts behind dra-conform's adapter protocol: what claims and pods count against
// quotas, by the evaluators of the API server, and what pods take from their nodes, by the scheduler.
//
// It links the code of one release of Kubernetes; build.sh says which there are.
package main

import (
	"fmt"
	"os"

	"k8s.io/klog/v2"

	"kube-adapter"
	"kube-control-plane/gates"
)

func main() {
	// The gates log each switch, the plugins what they decide.
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
