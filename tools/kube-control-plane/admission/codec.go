package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	// These packages register the types, defaults, conversions and declarative validation of the groups.
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

var jsonSerializer = func() runtime.SerializerInfo {
	info, found := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !found {
		panic("no serializer for JSON")
	}
	return info
}()

// identify returns the version and the kind of an object, which the API server knows from the URL.
func identify(raw []byte) (schema.GroupVersionKind, error) {
	var named struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return schema.GroupVersionKind{}, fmt.Errorf("cannot read apiVersion and kind of the object: %w", err)
	}
	if named.APIVersion == "" || named.Kind == "" {
		return schema.GroupVersionKind{}, errors.New("the object has no apiVersion or no kind")
	}
	return schema.FromAPIVersionAndKind(named.APIVersion, named.Kind), nil
}

// decode reads an object, sets defaults and converts it to the internal type. It returns the errors of strict decoding,
// unknown and duplicate fields, as strings.
func decode(raw []byte, group string) (runtime.Object, []string, error) {
	internal := schema.GroupVersion{Group: group, Version: runtime.APIVersionInternal}
	decoder := legacyscheme.Codecs.DecoderToVersion(jsonSerializer.StrictSerializer, internal)
	object, _, err := decoder.Decode(raw, nil, nil)
	if strict, isStrict := runtime.AsStrictDecodingError(err); isStrict && object != nil {
		return object, texts(strict.Errors()), nil
	}
	return object, nil, err
}

func encode(object runtime.Object, version schema.GroupVersion) (json.RawMessage, error) {
	encoder := legacyscheme.Codecs.EncoderForVersion(jsonSerializer.Serializer, version)
	return runtime.Encode(encoder, object)
}

func texts(errs []error) []string {
	result := make([]string, 0, len(errs))
	for _, err := range errs {
		result = append(result, err.Error())
	}
	return result
}
