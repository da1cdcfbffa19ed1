package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/calllog/records"
	"github.com/ringtrue/ringtrue/internal/problem"
)

type importCommand struct {
	Files    []string `arg:"" name:"file" help:"Files with records of calls, or folders of them; - is standard input."`
	Provider string   `help:"Provider of the records: custom, platform_a or platform_b (default: recognised from each record)." placeholder:"NAME"`
	Agent    string   `name:"external-agent-id" help:"Link the calls to the agent with this sourceId." placeholder:"ID"`
	Parallel int      `help:"How many connections to send over at the same time." default:"8"`
	URL      string   `help:"The service (default http://127.0.0.1:8080)." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Key      string   `help:"API key (better given as RINGTRUE_KEY)." env:"RINGTRUE_KEY" placeholder:"KEY"`
	JSON     bool     `help:"Print only a JSON object with the counts and refusals on standard output."`
}

// Help is the longer part of --help.
func (importCommand) Help() string {
	return `Reads records of finished calls and submits each as a call log. A file may hold webhook bodies
({"event": …, "call": {…}} or {"message": {…}}), bare call objects, whole submissions
({"provider": …, "payload": {…}}), an array of these, an object with such an array under
calls, data, results or items, or JSONL with one of these per line. Each may be wrapped in what it
was kept in: a request ({"headers": …, "body": …}), an item ({"json": …}), a row ({"payload": …}),
an event ({"detail": …}), a line of a log ({"message": …}, {"log": …}), or any other key when nothing
else in the object is a record; it may also be JSON as text. Files may be compressed with gzip. From a
folder and the folders below it, all .json, .jsonl and .ndjson files are read, also with .gz behind it.

  ringtrue import calls.jsonl webhooks/
  curl -s https://…/export | ringtrue import --provider platform_b -

You can stop an import and run it again: calls that the service already has are recognised, and none is
stored twice. It slows down when the service asks for that. At the end it prints how many calls are
waiting for review; feelings, scores and figures come with the review. Exit code: 0 everything is
stored, 1 some records were refused or a file was empty (the table says which and why), 3 it could not be done.`
}

// Run imports the files.
func (c *importCommand) Run(ctx context.Context, w *world) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.knock(ctx); err != nil {
		return c.explained(err)
	}
	const patience = 5 * time.Minute // until a service that is away, or has no room, is given up
	say := &oneAtATime{out: w.err}
	api := client.New(c.URL, c.Key, client.WithPatience(patience), tellsAgain(say))
	i := &importing{command: c, api: api, say: say, in: w.in, begun: time.Now()}
	err := i.run(ctx)
	if err == nil {
		i.toReview = reviewsToCome(ctx, api)
	}
	if c.JSON {
		if err := json.NewEncoder(w.out).Encode(i.summary()); err != nil {
			return err
		}
	} else {
		i.print(w.out)
	}
	switch {
	case err != nil:
		return c.explained(err)
	case i.refused > 0:
		return exitCode(exitNotPassed)
	}
	return nil
}

const (
	maxParallel = 256
	// maxRefusals bounds how many refusals are printed one by one.
	maxRefusals = 1000
	tellEvery   = 2 * time.Second
)

// importing is an import at work.
type importing struct {
	command *importCommand
	api     *client.Client
	say     io.Writer
	in      io.Reader
	begun   time.Time

	mu                    sync.Mutex
	fresh, known, refused int
	refusals              []refusal
	// broken is the error that ends the import.
	broken error
	// toReview is how many calls wait for their review afterwards, nil when that is not known.
	toReview *int
}

// refusal is a record that was not taken, and why.
type refusal struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Call is the record's own id of its call, "" where none is found: many records may stand in one line.
	Call string `json:"call"`
	Code string `json:"code"`
	Why  string `json:"why"`
}

// record is a record of a call and where it stands.
type record struct {
	file string
	line int
	body []byte
}

func (i *importing) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	found := make(chan record, 2*i.command.Parallel)
	var senders sync.WaitGroup
	for range i.command.Parallel {
		senders.Go(func() {
			for r := range found {
				if err := i.send(ctx, r); err != nil {
					i.end(err)
					cancel()
				}
			}
		})
	}
	told := make(chan struct{})
	go i.progress(ctx, told)
	err := i.read(ctx, func(r record) error {
		select {
		case found <- r:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(found)
	senders.Wait()
	cancel()
	<-told
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken != nil {
		return i.broken
	}
	return err
}

// read goes through the files. Something in a folder that cannot be read is reported, and the rest
// of the folder is read all the same; a path that was named on the command line must exist.
func (i *importing) read(ctx context.Context, found func(record) error) error {
	for _, name := range i.command.Files {
		files, inFolder, err := i.recordFiles(name)
		if err != nil {
			return err
		}
		for _, file := range files {
			err := i.readFile(ctx, file, found)
			switch {
			case err == nil:
			case ctx.Err() != nil:
				return err
			case !inFolder:
				return problem.New(problem.InvalidFields, "%s cannot be read", file).Because(err)
			default:
				i.unreadable(file, err)
			}
		}
	}
	return nil
}

// unreadable reports a file or folder below a named folder that cannot be read.
func (i *importing) unreadable(path string, err error) {
	var of *fs.PathError
	if errors.As(err, &of) { // whose words name the file once more
		err = of.Err
	}
	i.refuse(refusal{File: path, Code: "unreadable", Why: err.Error()})
}

var errNoFile = errors.New("it is not a regular file") //nolint:gochecknoglobals // an error to tell

// recordFiles are the files that a path on the command line stands for: the file itself, or those
// files of a folder whose names look like records.
func (i *importing) recordFiles(name string) (files []string, inFolder bool, err error) {
	info, err := os.Stat(name)
	if isFolder := err == nil && name != "-" && info.IsDir(); !isFolder {
		return []string{name}, false, nil // what cannot be read shows when it is
	}
	there, root := 0, name+string(filepath.Separator) // with which a link to a folder is that folder
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && entry != nil && path != root:
			i.unreadable(path, err)
			there++
			return fs.SkipDir
		case err != nil:
			return problem.New(problem.InvalidFields, "%s cannot be read", path).Because(err)
		case entry.IsDir() || !records.HasRecords(path):
			return nil
		}
		there++
		if i.readable(path) {
			files = append(files, path)
		}
		return nil
	})
	if err == nil && there == 0 {
		err = problem.New(problem.InvalidFields, "the folder %s has no .json, .jsonl or .ndjson file", name)
	}
	return files, true, err
}

// readable reports whether an entry of a folder is a regular file, and reports those that are not.
func (i *importing) readable(path string) bool {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile // to open a pipe may wait for ever
	}
	if err != nil {
		i.unreadable(path, err)
	}
	return err == nil
}

func (i *importing) readFile(ctx context.Context, name string, found func(record) error) error {
	in := i.in
	if name != "-" {
		f, err := waited(ctx, func() (*os.File, error) { return os.Open(name) }) //nolint:gosec // the operator names the files
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		in = f
	}
	r := records.Reader{Provider: i.command.Provider, ExternalAgentID: i.command.Agent, JSONL: records.IsJSONL(name), Found: func(line int, body []byte) error {
		return found(record{name, line, body})
	}, Refused: func(line int, why string) {
		if ctx.Err() == nil { // else it is that we have read no further
			i.refuse(refusal{File: name, Line: line, Code: "unreadable", Why: why})
		}
	}}
	if err := r.Read(&waitingReader{ctx: ctx, in: in}); err != nil || ctx.Err() == nil {
		return err
	}
	return ctx.Err() // which was taken for the end of what can be read
}

// send submits one record. It returns an error only when the records after it would fail as well.
func (i *importing) send(ctx context.Context, r record) error {
	if ctx.Err() != nil {
		return nil
	}
	a, err := i.submit(ctx, r.body)
	var said *client.Error
	switch {
	case err == nil:
		i.mu.Lock()
		defer i.mu.Unlock()
		if a.Duplicate {
			i.known++
		} else {
			i.fresh++
		}
		return nil
	case ctx.Err() != nil && !errors.As(err, &said):
		return ctx.Err()
	case errors.As(err, &said) && isOfTheRecord(codeOf(said)):
		i.refuse(refusal{File: r.file, Line: r.line, Call: records.CallIn(r.body), Code: codeOf(said), Why: reasonOf(said)})
		return nil
	}
	return err
}

// submit sends a submission until the service has room for it. A key that shares a tight rate limit
// with many others may be turned away often.
func (i *importing) submit(ctx context.Context, body []byte) (client.CallLogAccepted, error) {
	for {
		a, err := i.api.SubmitRawCallLog(ctx, body)
		if !client.IsCode(err, "rate_limited") || ctx.Err() != nil {
			return a, err
		}
	}
}

// codeOf is the code of the service's answer. A proxy in front of it that refuses a large body
// answers without one.
func codeOf(e *client.Error) string {
	if e.Code == "" && e.Status == http.StatusRequestEntityTooLarge {
		return "too_large"
	}
	return e.Code
}

// isOfTheRecord reports whether a refusal is about the one record that was sent.
func isOfTheRecord(code string) bool {
	switch code {
	case "invalid_json", "invalid_fields", "conflict", "too_large":
		return true
	}
	return false
}

// reasonOf says in one line what is wrong.
func reasonOf(e *client.Error) string {
	if e.Code == "" {
		return e.Message + ": something in front of the service, such as a proxy, does not accept a body of this size"
	}
	if len(e.Fields) == 0 {
		return e.Message
	}
	parts := make([]string, 0, len(e.Fields))
	for n, f := range e.Fields {
		if n == 3 {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Fields)-n))
			break
		}
		parts = append(parts, f.Path+" "+f.Message)
	}
	return strings.Join(parts, "; ")
}

func (i *importing) refuse(r refusal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.refused++; len(i.refusals) < maxRefusals {
		i.refusals = append(i.refusals, r)
	}
}

func (i *importing) end(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken == nil {
		i.broken = err
	}
}

// progress tells how far the import is until it is over.
func (i *importing) progress(ctx context.Context, done chan<- struct{}) {
	defer close(done)
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			fmt.Fprintln(i.say, i.line())
		}
	}
}

func (i *importing) line() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	sent := i.fresh + i.known + i.refused
	passed := time.Since(i.begun)
	return fmt.Sprintf("%6s  %d records (%.0f a second): %d new, %d known, %d refused",
		passed.Round(time.Second), sent, float64(sent)/max(passed.Seconds(), 1), i.fresh, i.known, i.refused)
}
