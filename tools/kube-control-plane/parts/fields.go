package main

import (
	"fmt"
	"strconv"
	"strings"
)

// setField sets the value at a path such as spec.devices[0].name. nil removes it.
func setField(value any, path string, to any) error {
	name, rest, nested := strings.Cut(path, ".")
	name, index, listed := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	object, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%s does not exist", path)
	}
	if listed {
		number, err := strconv.Atoi(index)
		several, ok := object[name].([]any)
		if err != nil || !ok || number >= len(several) {
			return fmt.Errorf("%s does not exist", path)
		}
		if nested {
			return setField(several[number], rest, to)
		}
		several[number] = to
		return nil
	}
	if nested {
		if object[name] == nil {
			object[name] = map[string]any{}
		}
		return setField(object[name], rest, to)
	}
	if to == nil {
		delete(object, name)
	} else {
		object[name] = to
	}
	return nil
}
