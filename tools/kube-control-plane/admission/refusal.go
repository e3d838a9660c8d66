package main

import (
	"errors"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"kube-adapter"
)

// notServed returns the answer of a server that does not serve a path.
func notServed() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusNotFound,
		Reason:  metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource",
	}}
}

// fieldError is an entry of an Invalid answer.
type fieldError struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

// refused returns the answer with the API server's errors about a write. Other errors are failures of the server.
func refused(err error) adapter.Answer {
	var refusal apierrors.APIStatus
	if !errors.As(err, &refusal) {
		return adapter.Failed("%v", err)
	}
	status := refusal.Status()
	found := []fieldError{}
	if status.Reason == metav1.StatusReasonInvalid && status.Details != nil {
		for _, cause := range status.Details.Causes {
			found = append(found, fieldErrorOf(cause))
		}
	}
	return adapter.Answer{
		"status":  "ok",
		"outcome": "rejected",
		"reason":  status.Reason,
		"errors":  found,
		"message": status.Message,
	}
}

// fieldErrorOf parses a cause of a rejection. Its message begins with its type in words, then has the value, if there
// is one, and the detail.
func fieldErrorOf(cause metav1.StatusCause) fieldError {
	kind := field.ErrorType(cause.Type)
	detail, _ := strings.CutPrefix(cause.Message, kind.String())
	name, _ := strings.CutSuffix(strings.TrimPrefix(string(kind), "FieldValue"), "Error")
	return fieldError{Path: cause.Field, Type: name, Detail: strings.TrimPrefix(detail, ": ")}
}
