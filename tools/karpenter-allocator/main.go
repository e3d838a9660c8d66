// Command karpenter-allocator serves the allocator of Karpenter's scheduling simulation by dra-conform's adapter
// protocol. It allocates on existing nodes only, not on instance types that Karpenter could launch.
package main

import (
	"fmt"
	"os"

	"kube-adapter"
)

func main() {
	if err := adapter.Serve(caseAllocator{}); err != nil {
		fmt.Fprintln(os.Stderr, "karpenter-allocator:", err)
		os.Exit(1)
	}
}
