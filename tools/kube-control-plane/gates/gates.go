// Package gates sets the feature gates of a process by a profile.
package gates

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"

	"kube-adapter"
)

// always has gates that a release removed since their feature is always on. Kubernetes 1.38 has none for dynamic
// resource allocation.
var always = map[string]bool{"DynamicResourceAllocation": true}

// FeatureGates are the gates of the process, which the code of Kubernetes reads. Gates that no profile names keep the
// defaults of the release.
type FeatureGates struct {
	gate     featuregate.MutableVersionedFeatureGate
	release  string
	specs    map[featuregate.Feature]featuregate.FeatureSpec
	named    map[string]bool // defaults of the gates that some profile names
	switched map[string]bool // gates of the current profile
}

// New returns the gates of a cluster whose components are all of this release. A gate that depends on the oldest
// component can then be on.
func New() (*FeatureGates, error) {
	gate := utilfeature.DefaultMutableFeatureGate
	release := gate.EmulationVersion()
	type compatible interface {
		SetEmulationVersionAndMinCompatibilityVersion(emulation, oldest *version.Version) error
	}
	if gate, ok := gate.(compatible); ok {
		if err := gate.SetEmulationVersionAndMinCompatibilityVersion(release, release); err != nil {
			return nil, err
		}
	}
	minor := fmt.Sprintf("%d.%d", release.Major(), release.Minor())
	return &FeatureGates{gate: gate, release: minor, specs: gate.GetAll(), named: map[string]bool{}}, nil
}

// Known returns whether the release has a gate.
func (g *FeatureGates) Known(gate string) bool {
	_, known := g.specs[featuregate.Feature(gate)]
	return known
}

// Names returns all gates of the release.
func (g *FeatureGates) Names() []string {
	var names []string
	for gate := range g.specs {
		names = append(names, string(gate))
	}
	slices.Sort(names)
	return names
}

// Enabled returns whether a gate is on.
func (g *FeatureGates) Enabled(gate string) bool {
	return g.gate.Enabled(featuregate.Feature(gate))
}

// Accept tries the gates of a profile on a copy, because gates that have rejected a value reject all later values.
func (g *FeatureGates) Accept(profile adapter.Profile) error {
	if profile.Kubernetes != "" && profile.Kubernetes != g.release {
		return fmt.Errorf("this build is %s", g.release)
	}
	for _, gate := range slices.Sorted(maps.Keys(profile.Gates)) {
		if !g.Known(gate) && profile.Gates[gate] != always[gate] {
			return fmt.Errorf("%s has no feature gate %s", g.release, gate)
		}
	}
	if err := g.gate.DeepCopy().SetFromMap(g.values(profile)); err != nil {
		return fmt.Errorf("feature gates: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	for gate := range profile.Gates {
		if spec, known := g.specs[featuregate.Feature(gate)]; known {
			g.named[gate] = spec.Default
		}
	}
	return nil
}

// values returns the gates of a profile that this release has. Other gates are off.
func (g *FeatureGates) values(profile adapter.Profile) map[string]bool {
	result := maps.Clone(g.named)
	for gate, on := range profile.Gates {
		if g.Known(gate) {
			result[gate] = on
		}
	}
	return result
}

// Set sets the gates of an accepted profile.
func (g *FeatureGates) Set(profile adapter.Profile) error {
	values := g.values(profile)
	if maps.Equal(values, g.switched) {
		return nil
	}
	if err := g.gate.SetFromMap(values); err != nil {
		return err
	}
	g.switched = values
	return nil
}
