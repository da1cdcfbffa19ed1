// Command pocketbase serves PocketBase with one open collection, call_logs, for the benchmark
// ingest: it represents a careful, ready-made way to store JSON records in SQLite behind HTTP.
//
//	pocketbase DIR HOST:PORT
package main

import (
	"fmt"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: pocketbase DIR HOST:PORT")
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: args[1], HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := collection(app); err != nil {
		return err
	}
	return apis.Serve(app, apis.ServeConfig{HttpAddr: args[2]})
}

// collection creates call_logs: the fields of a call log by which one would look it up, and the
// whole of it.
func collection(app core.App) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	anyone := ""
	c := core.NewBaseCollection("call_logs")
	c.CreateRule, c.ListRule, c.ViewRule = &anyone, &anyone, &anyone
	const max = 1 << 20
	c.Fields.Add(
		&core.TextField{Name: "provider"}, &core.TextField{Name: "call_id", Max: 256},
		&core.JSONField{Name: "metadata", MaxSize: max}, &core.JSONField{Name: "payload", MaxSize: max},
		&core.AutodateField{Name: "created", OnCreate: true},
	)
	c.AddIndex("call_logs_call", true, "provider, call_id", "")
	return app.Save(c)
}
