#!/bin/sh
# Builds bin/karpenter-allocator-vX.Y.Z, with the release of Karpenter that go.mod names. Karpenter often asks for a
# newer Go than is installed, which Go then fetches itself.
set -eu

cd "$(dirname "$0")"
if ! command -v go >/dev/null 2>&1; then
	echo "karpenter-allocator: not built, there is no Go on this machine" >&2
	exit 1
fi
release=$(GOTOOLCHAIN=auto go list -m -f '{{.Version}}' sigs.k8s.io/karpenter)
echo "karpenter-allocator: $release"
GOTOOLCHAIN=auto go build -trimpath -ldflags='-s -w' -o "bin/karpenter-allocator-$release" .
