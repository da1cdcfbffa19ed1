// Command ringtrue tests voice agents by phoning them: see `ringtrue --help`.
// It turns flags into app.Options, commands into calls of the public client,
// and failures into exit codes; everything else lives below internal/.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the build.
var version = "dev" //nolint:gochecknoglobals // the linker writes it

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once, as a person would expect.
	context.AfterFunc(ctx, stop)
	if os.Getenv("GOGC") == "" { // else whoever runs it has decided
		tendHeap()
	}
	code := run(ctx, &world{
		args: os.Args[1:], environ: os.Environ(), in: os.Stdin, out: os.Stdout, err: os.Stderr, version: version,
	})
	stop()
	os.Exit(code)
}
