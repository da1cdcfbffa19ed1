// Command ringtrue tests voice agents by phoning them: see `ringtrue --help`.
// It turns flags into app.Options, commands into calls of the public client,
// and failures into exit codes; everything else lives below internal/.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// version is set by the build.
var version = "dev" //nolint:gochecknoglobals // the linker writes it

// sameSignal is how soon after the first signal another one is no second wish.
const sameSignal = 500 * time.Millisecond

func main() {
	runtime.MemProfileRate = 0 // nobody reads who allocated what, and writing it down costs intake one percent
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	// A second signal ends the program at once, as a person would expect. Of a terminal that is closed a
	// program is told twice, by the shell and by the kernel, and so it is by timeout(1) and some others,
	// which tell it and its group.
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP)
		time.AfterFunc(sameSignal, stop)
	})
	if os.Getenv("GOGC") == "" { // else whoever runs it has decided
		tendHeap()
	}
	code := run(ctx, &world{
		args: os.Args[1:], environ: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr, version: version,
	})
	stop()
	os.Exit(code)
}

// endings are the signals that tell the program to end. Closing the terminal is one of them, unless
// the program was started with nohup or the like.
func endings() []os.Signal {
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// outliveReaders keeps the process alive when nobody reads its output any more: a service whose log
// is piped somewhere must not end, with its calls on the line, because the reader did.
func outliveReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
