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

// notServed is the answer of a server that knows no such path.
func notServed() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusNotFound,
		Reason:  metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource",
	}}
}

// fieldError is one entry of an Invalid answer.
type fieldError struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

// refused is the answer with all that the API server has against a write; any other error is a fault of its own.
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

// fieldErrorOf takes a cause of a refusal apart: its message begins with its type in words, and the detail is the
// rest, with the value in front where there is one.
func fieldErrorOf(cause metav1.StatusCause) fieldError {
	kind := field.ErrorType(cause.Type)
	detail, _ := strings.CutPrefix(cause.Message, kind.String())
	name, _ := strings.CutSuffix(strings.TrimPrefix(string(kind), "FieldValue"), "Error")
	return fieldError{Path: cause.Field, Type: name, Detail: strings.TrimPrefix(detail, ": ")}
}
