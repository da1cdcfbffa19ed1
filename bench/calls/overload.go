package main

import (
	"context"
	"errors"
)

func overload(_ context.Context, _ options, _ string) error { return errors.New("not yet") }
