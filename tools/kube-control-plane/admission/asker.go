package main

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// asker is the user of a write.
type asker struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups"`
}

var admin = &asker{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}}

func (a *asker) info() user.Info {
	if a == nil {
		a = admin
	}
	return &user.DefaultInfo{Name: a.Name, Groups: a.Groups}
}

// masters is an authorizer that allows everything to the group system:masters, and nothing to others, since cases have
// no roles.
type masters struct{}

func (masters) Authorize(_ context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
	if slices.Contains(asked.GetUser().GetGroups(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "no role allows it", nil
}
