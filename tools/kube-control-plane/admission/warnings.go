package main

import "slices"

// warnings are the texts of the API server's Warning headers, each once.
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
