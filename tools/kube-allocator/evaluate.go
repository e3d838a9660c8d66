package main

import (
	"context"
	"encoding/json"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
	kjson "sigs.k8s.io/json"
)

// evaluation is a request to evaluate each expression on each device. `Expressions` are device selectors. `New`
// compiles them as an API server does for a new object instead of a stored one.
type evaluation struct {
	Expressions []string           `json:"expressions"`
	Devices     []evaluationDevice `json:"devices"`
	New         bool               `json:"new"`
	Features    cel.Features       `json:"features"`
}

type evaluationDevice struct {
	Driver string `json:"driver"`
	resourceapi.Device
}

// verdict is the answer for an expression: the compile error, or a result for each device.
type verdict struct {
	Compile string   `json:"compile,omitempty"`
	Type    string   `json:"type,omitempty"`
	Results []result `json:"results,omitempty"`
}

type result struct {
	Value *bool   `json:"value,omitempty"`
	Error string  `json:"error,omitempty"`
	Cost  *uint64 `json:"cost,omitempty"`
}

type evaluator struct {
	ctx context.Context
}

func newEvaluator() evaluator {
	return evaluator{ctx: context.Background()}
}

func (e evaluator) answer(line []byte) (any, error) {
	var asked evaluation
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, &asked); err != nil {
		return nil, fmt.Errorf("cannot decode the request: %w", err)
	}
	options := cel.Options{}
	if asked.New {
		envType := environment.NewExpressions
		options.EnvType = &envType
	}
	compiler := cel.GetCompiler(asked.Features)
	answers := make([]verdict, 0, len(asked.Expressions))
	for _, expression := range asked.Expressions {
		compiled := compiler.CompileCELExpression(expression, options)
		if compiled.Error != nil {
			answers = append(answers, verdict{Compile: compiled.Error.Error()})
			continue
		}
		answer := verdict{Type: compiled.OutputType.String()}
		for _, device := range asked.Devices {
			answer.Results = append(answer.Results, e.evaluate(compiled, device))
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

func (e evaluator) evaluate(compiled cel.CompilationResult, device evaluationDevice) result {
	converted, err := celDevice(device)
	if err != nil {
		return result{Error: err.Error()}
	}
	matches, details, err := compiled.DeviceMatches(e.ctx, converted)
	var answer result
	if details != nil {
		answer.Cost = details.ActualCost()
	}
	if err != nil {
		answer.Error = err.Error()
	} else {
		answer.Value = &matches
	}
	return answer
}

// Otherwise the embedded Device would decode the whole object and drop the driver.
func (d *evaluationDevice) UnmarshalJSON(data []byte) error {
	var named struct {
		Driver string `json:"driver"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return err
	}
	d.Driver = named.Driver
	return kjson.UnmarshalCaseSensitivePreserveInts(data, &d.Device)
}
