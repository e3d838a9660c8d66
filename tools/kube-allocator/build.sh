#!/bin/sh
# Builds bin/kube-allocator-vX.Y.Z for every release below: the newest patch of each minor version, and two first
# patches. Each has its own dependencies in releases/, which `build.sh --pin` updates.
#
#   build.sh              builds the missing ones
#   build.sh v0.36.6 ...  builds these
set -eu

RELEASES="v0.34.0 v0.34.13 v0.35.10 v0.36.0 v0.36.6 v0.37.2 v0.38.0-beta.0"

cd "$(dirname "$0")"
if ! command -v go >/dev/null 2>&1; then
	echo "kube-allocator: not built, there is no Go on this machine (1.26 or newer is needed)" >&2
	exit 1
fi

# The files for a minor version, where the library differs from its newest.
tags() {
	case $1 in
	v0.34.*) echo kube34 ;;
	v0.35.*) echo kube35 ;;
	v0.36.*) echo kube36 ;;
	v0.37.*) echo kube37 ;;
	esac
}

# 1.38 needs a newer Go than the others, which the go command downloads.
toolchain() {
	case $1 in
	v0.38.*) echo go1.27.3 ;;
	*) go env GOTOOLCHAIN ;;
	esac
}

# Two dependencies of v0.38.0-beta.0 cannot be downloaded: structured-merge-diff v7.0.1, which only server-side apply
# uses, and k8s.io/ktesting, which only tests use.
pin() {
	printf '%s\n' 'module kube-allocator' '' 'go 1.26.0' '' \
		'require (' "	k8s.io/dynamic-resource-allocation $1" '	kube-adapter v0.0.0' ')' '' \
		'replace (' '	kube-adapter => ../kube-adapter' \
		'	sigs.k8s.io/structured-merge-diff/v7 v7.0.1 => sigs.k8s.io/structured-merge-diff/v7 v7.0.0' ')' >"releases/$1.mod"
	GOTOOLCHAIN="$(toolchain "$1")" GOFLAGS="-tags=$(tags "$1")" go mod tidy -e -modfile="releases/$1.mod"
}

build() {
	GOTOOLCHAIN="$(toolchain "$1")" go build -trimpath -ldflags='-s -w' -tags="$(tags "$1")" -modfile="releases/$1.mod" -o "bin/kube-allocator-$1" .
}

if [ "${1:-}" = --pin ]; then
	mkdir -p releases
	for release in $RELEASES; do pin "$release"; done
	exit
fi

stale() {
	[ ! -x "bin/kube-allocator-$1" ] || [ -n "$(find . ../kube-adapter -name '*.go' -newer "bin/kube-allocator-$1")" ] ||
		[ "releases/$1.mod" -nt "bin/kube-allocator-$1" ]
}

for release in ${*:-$RELEASES}; do
	if [ $# -gt 0 ] || stale "$release"; then
		echo "kube-allocator: $release"
		build "$release"
	fi
done
