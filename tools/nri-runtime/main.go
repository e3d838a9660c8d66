// nri-runtime serves NRI at a socket as a container runtime without pods does, for DRA drivers that are NRI plugins.
//
// Usage: nri-runtime SOCKET. The socket is created before plugins can connect, and the program runs until it is killed.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/containerd/nri/pkg/adaptation"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: nri-runtime SOCKET")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "nri-runtime:", err)
		os.Exit(1)
	}
	select {}
}

// serve accepts plugins at a socket, and starts no plugins itself.
func serve(socket string) error {
	synchronize := func(ctx context.Context, plugin adaptation.SyncCB) error {
		_, err := plugin(ctx, nil, nil)
		return err
	}
	update := func(context.Context, []*adaptation.ContainerUpdate) ([]*adaptation.ContainerUpdate, error) {
		return nil, nil
	}
	none := filepath.Join(filepath.Dir(socket), "none")
	runtime, err := adaptation.New("nri-runtime", "v1", synchronize, update, adaptation.WithSocketPath(socket),
		adaptation.WithPluginPath(none), adaptation.WithPluginConfigPath(none))
	if err != nil {
		return err
	}
	return runtime.Start()
}
