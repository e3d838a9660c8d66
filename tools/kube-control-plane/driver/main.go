// Upstream's test driver for Dynamic Resource Allocation as a program of its own.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/test/e2e/dra/test-driver/app"
)

func main() {
	os.Exit(cli.Run(app.NewCommand()))
}
