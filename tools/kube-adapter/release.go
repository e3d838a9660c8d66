package adapter

import "runtime/debug"

// Release is the version of a module this binary was built with, such as v0.36.6.
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
