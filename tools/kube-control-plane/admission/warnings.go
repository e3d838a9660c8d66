package main

import "slices"

// warnings are what the API server would send in Warning headers: each text once.
type warnings struct {
	texts []string
}

func newWarnings() *warnings {
	return &warnings{texts: []string{}}
}

func (w *warnings) AddWarning(_, text string) {
	if !slices.Contains(w.texts, text) {
		w.texts = append(w.texts, text)
	}
}
