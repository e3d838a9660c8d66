package adapter

import "runtime/debug"

// Release returns the version of a module of this binary, such as v0.36.6.
func Release(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == module {
				return dependency.Version
			}
		}
	}
	return "unknown"
}
