#!/bin/sh
# Builds programs for every release below, the newest patch of each minor version that is published as a Go module:
# bin/kube-admission-vX.Y.Z answers writes, bin/kube-vX.Y.Z is a whole control plane. For the releases with node
# allocatable resources, bin/kube-parts-vX.Y.Z answers for the scheduler's plugins and the quota evaluators. Since v1.34,
# bin/kube-kubelet-vX.Y.Z is the kubelet's management of dynamic resources. kube-faulty-scheduler-v1.37.1 is built only if
# named. v1.38.0-beta.0 has no whole control plane, since a module that its API server needs cannot be downloaded.
# Each release has its own dependencies in releases/, which `build.sh --pin` updates. Without caches the first build takes four to eight minutes on two cores, all
# builds take six to twelve.
#
#   build.sh                           builds the missing programs
#   build.sh v1.37.1 ...               builds all programs of these releases
#   build.sh kube-v1.37.1 ...          builds these programs
set -eu

RELEASES="v1.33.13 v1.34.4 v1.35.4 v1.36.3 v1.37.1 v1.38.0-beta.0"

cd "$(dirname "$0")"
if ! command -v go >/dev/null 2>&1; then
	echo "kube-control-plane: not built, there is no Go on this machine (1.26 or newer is needed)" >&2
	exit 1
fi

minor() {
	minor=${1#v1.}
	echo "${minor%%.*}"
}

# 1.38 needs a newer Go than the others, which the go command downloads.
toolchain() {
	case $1 in
	v1.38.*) echo go1.27.3 ;;
	*) go env GOTOOLCHAIN ;;
	esac
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
		printf '\tkube-adapter => ../kube-adapter\n'
		# Cannot be downloaded, and only server-side apply uses it.
		printf '\tsigs.k8s.io/structured-merge-diff/v7 v7.0.1 => sigs.k8s.io/structured-merge-diff/v7 v7.0.0\n)\n'
	} >"releases/$1.mod"
	GOTOOLCHAIN="$(toolchain "$1")" GOFLAGS="-tags=kube$(minor "$1")" go mod tidy -e -modfile="releases/$1.mod"
}

# The linker sets the version that a program reports, such as /version of the API server.
version() {
	for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		printf -- "-X $package.%s " "gitVersion=$1" gitMajor=1 "gitMinor=$(minor "$1")" gitTreeState=clean
	done
}

# programs RELEASE prints the programs to build for a release.
programs() {
	case $1 in
	v1.38.*) echo "kube-admission-$1" ;;
	*) echo "kube-admission-$1 kube-$1" ;;
	esac
	case $1 in
	v1.36.* | v1.37.* | v1.38.*) echo "kube-parts-$1 kube-kubelet-$1" ;;
	v1.34.* | v1.35.*) echo "kube-kubelet-$1" ;;
	esac
}

# build PROGRAM builds a program, such as kube-v1.37.1 from ./kube, with files of its minor version if they differ from
# the newest.
build() {
	echo "kube-control-plane: $1"
	release="v${1##*-v}"
	source="${1%"-$release"}"
	GOTOOLCHAIN="$(toolchain "$release")" go build -trimpath -ldflags="-s -w $(version "$release")" -tags="kube$(minor "$release")" \
		-modfile="releases/$release.mod" -o "bin/$1" "./${source#kube-}"
}

stale() {
	[ ! -x "bin/$1" ] || [ "releases/v${1##*-v}.mod" -nt "bin/$1" ] ||
		[ -n "$(find . ../kube-adapter -name '*.go' -newer "bin/$1")" ]
}

if [ "${1:-}" = --pin ]; then
	shift
	mkdir -p releases
	for release in ${*:-$RELEASES}; do pin "$release"; done
elif [ $# -gt 0 ]; then
	for name in "$@"; do
		case $name in
		v*) for program in $(programs "$name"); do build "$program"; done ;;
		*) build "$name" ;;
		esac
	done
else
	for release in $RELEASES; do
		for program in $(programs "$release"); do
			if stale "$program"; then build "$program"; fi
		done
	done
fi
