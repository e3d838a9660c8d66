// Command karpenter-allocator puts the allocator with which Karpenter simulates scheduling behind dra-conform's adapter
// protocol, for nodes that exist: what Karpenter knows of machines that it could launch has no part in it.
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
