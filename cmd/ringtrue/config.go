package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// configFile is kong.ConfigFlag with errors that say which flag named the file.
type configFile string

// BeforeResolve makes the file one of the sources that flags are read from.
func (configFile) BeforeResolve(ctx context.Context, k *kong.Kong, parsed *kong.Context, trace *kong.Path) error {
	name, _ := parsed.FlagValue(trace.Flag).(configFile)
	if name == "" {
		return errors.New("--config: is empty; name a file, or leave it out")
	}
	resolver, err := waited(ctx, func() (kong.Resolver, error) { return k.LoadConfig(string(name)) })
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	parsed.AddResolver(resolver)
	return nil
}

// strictJSON reads a configuration file like kong.JSON and refuses keys that
// name no flag: a key that changes nothing is a mistake.
func strictJSON(r io.Reader) (kong.Resolver, error) {
	marked := transform.NewReader(r, unicode.BOMOverride(transform.Nop)) // an editor may have put a mark in front
	data, err := io.ReadAll(io.LimitReader(marked, 1<<20))
	if err != nil {
		return nil, err
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf("the configuration file is not a JSON object: %w", err)
	}
	values := make(map[string]json.RawMessage, len(given))
	for key, value := range given {
		name := strings.ReplaceAll(key, "-", "_") // kong.JSON knows no other spelling, and passes over the one that the flag has
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("the configuration file names %q twice, once with - and once with _", key)
		}
		if values[name], err = asWritten(value); err != nil {
			return nil, fmt.Errorf("the configuration file: %q %w", key, err)
		}
	}
	if data, err = json.Marshal(values); err != nil {
		return nil, err
	}
	resolver, err := kong.JSON(bytes.NewReader(data))
	return strictResolver{resolver, slices.Sorted(maps.Keys(given))}, err
}

// asWritten is a value of the file as text, so that a flag parses it as it would on the command
// line. Left alone, kong takes a number for nanoseconds in a duration, and drops its fraction in an
// integer.
func asWritten(value json.RawMessage) (json.RawMessage, error) {
	var list []json.RawMessage
	if value[0] != '[' {
		return scalarAsWritten(value)
	}
	err := json.Unmarshal(value, &list)
	for i := 0; i < len(list) && err == nil; i++ {
		list[i], err = scalarAsWritten(list[i])
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

func scalarAsWritten(value json.RawMessage) (json.RawMessage, error) {
	switch value[0] {
	case '"', 'n': // null leaves a flag as if it were not there
		return value, nil
	case '[', '{':
		return nil, errors.New("must be a string, a number, true or false, or a list of these")
	}
	text := string(value)
	if number, err := strconv.ParseFloat(text, 64); err == nil && number == math.Trunc(number) && math.Abs(number) < 1<<53 {
		text = strconv.FormatFloat(number, 'f', -1, 64) // 5e6 is an integer
	}
	return json.Marshal(text)
}

type strictResolver struct {
	kong.Resolver
	keys []string
}

// Resolve implements kong.Resolver. The environment wins over the file, which stays the same from
// one start to the next. By itself kong would let the file win, and ignore the variable without
// saying so.
func (r strictResolver) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, isSet) {
		return nil, nil
	}
	value, err := r.Resolver.Resolve(ctx, parent, flag)
	if _, list := value.([]any); list && !flag.IsSlice() {
		return nil, errors.New("takes one value, not a list")
	}
	return value, err
}

func isSet(variable string) bool {
	_, set := os.LookupEnv(variable)
	return set
}

// Validate implements kong.Resolver.
func (r strictResolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	err := kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known[flag.Name] = true
		}
		return next(nil)
	})
	if err != nil {
		return err
	}
	for _, key := range r.keys {
		if !known[strings.ReplaceAll(key, "_", "-")] {
			return fmt.Errorf("the configuration file names %q, which is not a flag", key)
		}
	}
	return nil
}
