#!/bin/sh
# Builds bin/kube-admission-vX.Y.Z for every release below, the newest of each minor version that is published as a
# Go module. Each has its own dependencies in releases/; `build.sh --pin` writes those anew. A release takes four to
# eight minutes from nothing on two cores.
#
#   build.sh              builds what is not there yet
#   build.sh v1.37.1 ...  builds these
set -eu

RELEASES="v1.33.13 v1.34.4 v1.35.4 v1.36.3 v1.37.1"

cd "$(dirname "$0")"
if ! command -v go >/dev/null 2>&1; then
	echo "kube-control-plane: not built, there is no Go on this machine (1.26 or newer is needed)" >&2
	exit 1
fi

# The files for a minor version, where its code differs from the newest.
tags() {
	minor=${1#v1.}
	echo "kube${minor%%.*}"
}

# Kubernetes refers to its libraries by folders of its own repository. As a dependency it needs their published
# versions instead, and the settings of the Go runtime that its own programs are built with.
pin() {
	kubernetes="$(go mod download -json "k8s.io/kubernetes@$1" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')"
	{
		printf 'module kube-control-plane\n\ngo 1.26.0\n\n'
		sed -n 's/^godebug default=/godebug default=/p; /^godebug (/,/^)/p' "$kubernetes"
		printf '\nrequire (\n\tk8s.io/kubernetes %s\n\tkube-adapter v0.0.0\n)\n\nreplace (\n' "$1"
		sed -n "s|^\t\(k8s.io/[^ ]*\) => ./staging/.*|\t\1 => \1 v0.${1#v1.}|p" "$kubernetes" | grep -v /sample-
		printf '\tkube-adapter => ../kube-adapter\n)\n'
	} >"releases/$1.mod"
	GOFLAGS="-tags=$(tags "$1")" go mod tidy -modfile="releases/$1.mod"
}

build() {
	go build -trimpath -ldflags='-s -w' -tags="$(tags "$1")" -modfile="releases/$1.mod" \
		-o "bin/kube-admission-$1" ./admission
}

if [ "${1:-}" = --pin ]; then
	shift
	mkdir -p releases
	for release in ${*:-$RELEASES}; do pin "$release"; done
	exit
fi

stale() {
	[ ! -x "bin/kube-admission-$1" ] || [ "releases/$1.mod" -nt "bin/kube-admission-$1" ] ||
		[ -n "$(find . ../kube-adapter -name '*.go' -newer "bin/kube-admission-$1")" ]
}

for release in ${*:-$RELEASES}; do
	if [ $# -gt 0 ] || stale "$release"; then
		echo "kube-control-plane: $release"
		build "$release"
	fi
done
