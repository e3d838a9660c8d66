package main

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"
)

// makeCertificate writes tls.crt and tls.key to a folder: a certificate for the loopback address, followed by that of the
// authority that signed it, and the key of the first. The key of the authority is not stored.
func makeCertificate() {
	if len(os.Args) != 2 {
		fail("usage: certificate FOLDER")
	}
	certificates, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", nil, nil)
	if err != nil {
		fail(err)
	}
	for name, content := range map[string][]byte{"tls.crt": certificates, "tls.key": key} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o600); err != nil {
			fail(err)
		}
	}
}

func fail(what any) {
	fmt.Fprintln(os.Stderr, what)
	os.Exit(2)
}
