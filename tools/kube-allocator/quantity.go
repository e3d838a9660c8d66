package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// parsed is what one text is as a quantity; with Error, it is none. Text is how it is printed: a text that looks
// canonical is printed as it was read, such as +1k, so Canonical is worked out from the amount.
type parsed struct {
	Error     string `json:"error,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Text      string `json:"text,omitempty"`
	Format    string `json:"format,omitempty"`
	Value     int64  `json:"value,omitempty"`
}

// pairing is what two texts are to each other; only when both are quantities.
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

// answerQuantity answers {"texts": [...]}: each text as a quantity, and each with the one before it.
func answerQuantity(line []byte) (any, error) {
	var asked quantities
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, fmt.Errorf("a question that is not understood: %w", err)
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
