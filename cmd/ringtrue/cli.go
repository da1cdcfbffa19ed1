package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/alecthomas/kong"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// world is everything outside the process that a command may use.
type world struct {
	args    []string
	environ []string
	in      io.Reader
	out     io.Writer
	err     io.Writer
	version string
}

// commands is the command line. Every flag can also be given as an environment
// variable RINGTRUE_… and in the file that --config names.
type commands struct {
	Config   configFile `help:"Read flags from this JSON file: {\"listen\": \":8080\", \"trunk\": [\"main=sip://…\"]}." placeholder:"FILE"`
	LogLevel string     `help:"What to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	LogJSON  bool       `help:"Log as JSON lines."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and exit." env:"-"`

	Serve      serveCommand      `cmd:"" help:"Run the service: REST interface, experiments, reviews."`
	Demo       demoCommand       `cmd:"" help:"Start everything on this machine, phone the practice agent and print the scored report."`
	Run        runCommand        `cmd:"" help:"Run a dataset against an agent on a running service and wait for the verdict. For CI."`
	Import     importCommand     `cmd:"" help:"Submit production calls from files: webhook bodies, call objects, arrays or JSONL."`
	Review     reviewCommand     `cmd:"" help:"Review calls again on a running service, after a scorer or an engine has changed."`
	Practice   practiceCommand   `cmd:"" help:"Run only the practice agent: a voice agent on SIP with faults you can switch on."`
	Keys       keysCommand       `cmd:"" help:"Create, list and revoke API keys."`
	People     peopleCommand     `cmd:"" help:"List and invite the people who use the web app, or make them a sign-in link."`
	Workspaces workspacesCommand `cmd:"" help:"Create and list workspaces. What is in one cannot be seen from another."`
	Migrate    migrateCommand    `cmd:"" help:"Migrate the database to this version (serve does this by itself)."`
	Doctor     doctorCommand     `cmd:"" help:"Check what is missing on this machine, and say how to get it."`
	OpenAPI    openapiCommand    `cmd:"" name:"openapi" help:"Print the OpenAPI document of the REST interface."`
	Completion completionCommand `cmd:"" help:"Print the completion script for bash, zsh or fish."`
	Licenses   licensesCommand   `cmd:"" help:"Print the notice, and the licences of the software this program contains."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
}

// The exit codes; `run` uses 1 and 2 for verdicts.
const (
	exitOK        = 0
	exitNotPassed = 1 // the experiment failed
	exitVoid      = 2 // void, or nothing was evaluated
	exitCouldNot  = 3 // it could not be run at all
	exitUsage     = 64
)

// exitCode ends a command with this exit code and prints nothing more.
type exitCode int

// Error implements error.
func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run parses the command line, runs the command and returns the exit code. A command that succeeded
// but could not write its result has failed.
func run(ctx context.Context, w *world) int {
	told := *w
	out := &output{to: w.out}
	told.out = out
	code := perform(ctx, &told)
	if code == exitOK && out.err != nil {
		return w.fail(out.err)
	}
	return code
}

func perform(ctx context.Context, w *world) int {
	var c commands
	done := -1
	parser, err := kong.New(&c,
		kong.Name("ringtrue"),
		kong.Description("Tests voice agents by phoning them: simulated callers, recordings, transcripts, timing and verdicts with evidence. Try `ringtrue demo`."),
		kong.Writers(w.out, w.err), kong.Exit(func(code int) { done = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Configuration(strictJSON), kong.DefaultEnvars("RINGTRUE"), kong.UsageOnError(), asGiven(),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(w), kong.Vars{"version": w.version},
	)
	if err != nil {
		return w.fail(err)
	}
	parsed, err := parser.Parse(w.args)
	if done >= 0 { // --help has been answered
		return done
	}
	unread := strays(w.environ, parser.Model)
	if isStopped(ctx, err) { // while it waited for the file of --config
		return w.fail(errStopped)
	}
	if problem.As(err) != nil { // of --help that could not be written: nothing is wrong with the command line
		return w.fail(err)
	}
	if err != nil {
		fmt.Fprintf(w.err, "ringtrue: %v\n", err)
		for _, s := range unread { // one of them may be what is missing
			fmt.Fprintf(w.err, "No flag reads %s%s\n", s.name, s.instead())
		}
		fmt.Fprintf(w.err, "Try `%s --help`.\n", commandOf(err))
		return exitUsage
	}
	log := c.logger(w)
	for _, s := range unread {
		log.WarnContext(ctx, "an environment variable is read by no flag", "name", s.name, "nearest", s.nearest)
	}
	parsed.Bind(log)
	err = parsed.Run()
	if isStopped(ctx, err) && problem.As(err) == nil {
		err = errStopped
	}
	return w.fail(err)
}

var errStopped = errors.New("interrupted before it was done") //nolint:gochecknoglobals // an error to tell

// isStopped reports whether an error is only the consequence of a signal; its text would explain
// nothing.
func isStopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// commandOf is the command whose command line could not be parsed, as far as it could be
// recognised.
func commandOf(err error) string {
	var at *kong.ParseError
	if errors.As(err, &at) && at.Context != nil && at.Context.Selected() != nil {
		return at.Context.Selected().FullPath()
	}
	return "ringtrue"
}

func (c *commands) logger(w *world) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	opts := &slog.HandlerOptions{Level: level}
	if c.LogJSON {
		return slog.New(slog.NewJSONHandler(w.err, opts))
	}
	return slog.New(slog.NewTextHandler(w.err, opts))
}

// fail tells the person what went wrong and what to do, and returns the exit code.
func (w *world) fail(err error) int {
	if err == nil {
		return exitOK
	}
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	var refused *client.Error
	if errors.As(err, &refused) {
		err = asProblem(refused)
	}
	p := problem.As(err)
	if p == nil {
		fmt.Fprintf(w.err, "ringtrue: %v\n", err)
		return exitCouldNot
	}
	fmt.Fprintf(w.err, "ringtrue: %s\n", p.Message)
	for _, f := range p.Fields {
		fmt.Fprintf(w.err, "  %s\n", f)
	}
	if p.Hint != "" {
		fmt.Fprintf(w.err, "  %s\n", p.Hint)
	}
	if cause := p.Unwrap(); cause != nil {
		fmt.Fprintf(w.err, "  (%v)\n", cause)
	}
	return exitCouldNot
}

// asProblem turns an error that the service answered with into one of our own kind.
func asProblem(refused *client.Error) *problem.Error {
	code := refused.Code
	if code == "" {
		code = "not an answer from Ringtrue"
	}
	p := problem.New(problem.Code(refused.Code), "%s (%s)", refused.Message, code)
	for _, f := range refused.Fields {
		p.Fields = append(p.Fields, problem.Field(f))
	}
	if refused.Hint != "" {
		p = p.WithHint("%s", refused.Hint)
	}
	if refused.RequestID != "" {
		p = p.Because(errors.New("request " + refused.RequestID))
	}
	return p
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(w *world) error {
	_, err := fmt.Fprintln(w.out, w.version)
	return err
}
