package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// parsed is the result of parsing a string as a quantity, with Error if it is invalid. Text is its printed form. A string
// that looks canonical, such as +1k, is printed as it was read, so Canonical is computed from the value.
type parsed struct {
	Error     string `json:"error,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Text      string `json:"text,omitempty"`
	Format    string `json:"format,omitempty"`
	Value     int64  `json:"value,omitempty"`
}

// pairing is the comparison of two strings that are both quantities.
type pairing struct {
	Compare    int    `json:"compare"`
	Sum        string `json:"sum"`
	Difference string `json:"difference"`
}

type quantities struct {
	Texts []string `json:"texts"`
}

type quantityAnswer struct {
	Parsed []parsed   `json:"parsed"`
	Pairs  []*pairing `json:"pairs"`
}

// answerQuantity answers {"texts": [...]}: it parses each string, and compares it with the previous one.
func answerQuantity(line []byte) (any, error) {
	var asked quantities
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, fmt.Errorf("cannot decode the request: %w", err)
	}
	answer := quantityAnswer{Parsed: []parsed{}, Pairs: []*pairing{}}
	var before *resource.Quantity
	for i, text := range asked.Texts {
		now, err := resource.ParseQuantity(text)
		current := &now
		if err != nil {
			answer.Parsed = append(answer.Parsed, parsed{Error: err.Error()})
			current = nil
		} else {
			answer.Parsed = append(answer.Parsed, parsed{
				Canonical: canonical(now),
				Text:      now.String(),
				Format:    string(now.Format),
				Value:     now.Value(),
			})
		}
		if i > 0 {
			answer.Pairs = append(answer.Pairs, pair(before, current))
		}
		before = current
	}
	return answer, nil
}

func canonical(q resource.Quantity) string {
	number, suffix := q.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

func pair(left, right *resource.Quantity) *pairing {
	if left == nil || right == nil {
		return nil
	}
	sum, difference := left.DeepCopy(), left.DeepCopy()
	sum.Add(*right)
	difference.Sub(*right)
	return &pairing{Compare: left.Cmp(*right), Sum: sum.String(), Difference: difference.String()}
}
