package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// datasetFile is a file of items that has been read and found good.
type datasetFile struct {
	name, format string
	data         []byte
}

// check finds everything that can be found wrong before anything is sent: a build should fail in
// its first second, not after its calls.
func (c *runCommand) check(ctx context.Context) (datasetFile, error) {
	var fields []problem.Field
	if c.To != nil && !scenario.ValidE164(*c.To) {
		fields = append(fields, problem.Field{Path: "--to", Message: `must be an international number: "+", then 7 to 15 digits`})
	}
	fields = append(fields, checkService(c.URL, c.Key)...)
	if c.Timeout <= 0 {
		fields = append(fields, problem.Field{Path: "--timeout", Message: "must be more than 0"})
	}
	if err := c.emptyJUnit(); err != nil {
		fields = append(fields, problem.Field{Path: "--junit", Message: "cannot be written: " + err.Error()})
	}
	if len(fields) > 0 {
		return datasetFile{}, problem.Invalid(fields...)
	}
	if c.File == "" {
		return datasetFile{}, nil
	}
	return readDatasetFile(ctx, c.File)
}

// emptyJUnit makes sure that the report can be written when the calls are over. It removes the
// report of an earlier run: if this run ended early, a CI system would take the old report for its
// own.
func (c *runCommand) emptyJUnit() error {
	if c.JUnit == "" {
		return nil
	}
	if report, err := os.Stat(c.JUnit); err == nil {
		if items, err := os.Stat(c.File); err == nil && os.SameFile(report, items) {
			return errors.New("it is the dataset file")
		}
	}
	f, err := os.OpenFile(c.JUnit, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) //nolint:gosec // a report is no secret
	if err != nil {
		return err
	}
	return f.Close()
}

func readDatasetFile(ctx context.Context, path string) (datasetFile, error) {
	base := filepath.Base(path)
	f := datasetFile{name: asName(strings.TrimSuffix(base, filepath.Ext(base))), format: strings.ToLower(strings.TrimPrefix(filepath.Ext(base), "."))}
	switch f.format {
	case "yml":
		f.format = "yaml"
	case "ndjson":
		f.format = "jsonl"
	}
	var err error
	f.data, err = waited(ctx, func() ([]byte, error) { return os.ReadFile(path) }) //nolint:gosec // the person names it
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case err != nil:
		return f, problem.Invalid(problem.Field{Path: "FILE", Message: "cannot be read: " + err.Error()})
	}
	if _, bad := scenario.ParseFile(f.data, scenario.Format(f.format)); bad != nil {
		e := *bad
		e.Message = path + ": " + e.Message
		return f, &e
	}
	return f, nil
}

// asName is a file's name as the name of a dataset: bytes that are not UTF-8 become %E9 and the
// like. Sent as they are, all of them would turn into the same replacement character, and the
// dataset could not be found by its name again.
func asName(file string) string {
	var name strings.Builder
	for len(file) > 0 {
		r, size := utf8.DecodeRuneInString(file)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&name, "%%%02X", file[0])
		} else {
			name.WriteRune(r)
		}
		file = file[size:]
	}
	return name.String()
}

// explained adds what the person can do about a run that failed on the way; started is the
// experiment, "" when none was started.
func (c *runCommand) explained(ctx context.Context, started string, err error) error {
	var away *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded): // and not the time that a connection may take, which is told alike
		goesOn := "the service did not say that it began an experiment"
		if started != "" {
			goesOn = started + " continues on the service"
		}
		return problem.New(problem.Unavailable, "there was no verdict within %s", c.Timeout).WithHint("%s; to wait longer, give --timeout", goesOn)
	case started != "" && errors.Is(err, context.Canceled):
		return problem.New(problem.Unavailable, "stopped waiting before there was a verdict").
			WithHint("%s continues on the service; cancel it in the web app or with POST /voice-experiments/%[1]s/cancel", started)
	case started != "" && errors.As(err, &away):
		return problem.New(problem.Unavailable, "%s has stopped answering", shown(c.URL)).
			WithHint("%s continues when the service is back; see its verdict in the web app or with GET /voice-experiments/%[1]s/report", started).Because(away.Err)
	}
	return unanswered(c.URL, err)
}
