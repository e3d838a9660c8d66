// Command admission serves the API server's processing of writes, without storage, by dra-conform's adapter protocol:
// decoding, defaulting, the dropping of disabled fields and validation.
//
// It links the code of one of the releases of Kubernetes that build.sh lists.
package main

import (
	"flag"
	"fmt"
	"os"

	"k8s.io/klog/v2"

	"kube-adapter"
	"kube-control-plane/gates"
)

func main() {
	runtimeConfig := flag.String("runtime-config", "",
		"API versions of resource.k8s.io to serve besides those on by default, such as v1beta1,v1beta2")
	flag.Parse()
	// Feature gates and validation write logs, which are discarded.
	klog.SetLogger(klog.Logger{})
	if err := run(*runtimeConfig); err != nil {
		fmt.Fprintln(os.Stderr, "kube-admission:", err)
		os.Exit(1)
	}
}

func run(runtimeConfig string) error {
	switches, err := gates.New()
	if err != nil {
		return err
	}
	return adapter.Serve(&apiServer{gates: switches, served: newServed(runtimeConfig)})
}
