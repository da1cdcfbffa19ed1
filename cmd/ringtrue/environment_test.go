package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestVariablesThatNoFlagReadsAreNamed(t *testing.T) {
	t.Parallel()
	said := func(args []string, environ ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), &world{args: args, environ: environ, in: strings.NewReader(""), out: &out, err: &errs, version: "v1"})
		return code, errs.String()
	}
	for _, c := range []struct {
		name     string
		variable string
		want     []string // empty is silence
	}{
		{"a letter is wrong", "RINGTRUE_LISEN=hunter2", []string{"name=RINGTRUE_LISEN", "nearest=RINGTRUE_LISTEN"}},
		{"nothing is like it", "RINGTRUE_ZZZZZZZZZZZZ=hunter2", []string{"name=RINGTRUE_ZZZZZZZZZZZZ"}},
		{"without a value", "RINGTRUE_DATABSE", []string{"nearest=RINGTRUE_DATABASE"}},
		{"one that a flag reads", "RINGTRUE_METRICS_LISTEN=127.0.0.1:9090", nil},
		{"one with a name of its own", "RINGTRUE_KEY=hunter2", nil},
		{"somebody else's", "RINGTRUETHING=hunter2", nil},
		{"one that a command reads", "RINGTRUE_ROOM_TOKEN=hunter2", nil},
	} {
		code, errs := said([]string{"version"}, "HOME=/", c.variable)
		if code != exitOK || len(c.want) == 0 && errs != "" || strings.Count(errs, "\n") > 1 || strings.Contains(errs, "hunter2") {
			t.Errorf("%s: %d %q", c.name, code, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: there is no %q in %q", c.name, want, errs)
			}
		}
	}
	cluster := []string{
		"RINGTRUE_SERVICE_HOST=10.0.0.1", "RINGTRUE_SERVICE_PORT=80", "RINGTRUE_SERVICE_PORT_HTTP=80", "RINGTRUE_PORT=tcp://10.0.0.1:80",
		"RINGTRUE_PORT_80_TCP=tcp://10.0.0.1:80", "RINGTRUE_PORT_80_TCP_ADDR=10.0.0.1", "RINGTRUE_WEB_SERVICE_HOST=10.0.0.2", "RINGTRUE_WEB_PORT=tcp://10.0.0.2:80",
	}
	if code, errs := said([]string{"version"}, cluster...); code != exitOK || errs != "" {
		t.Errorf("beside services of a cluster: %d %q", code, errs)
	}
	if _, errs := said([]string{"version"}, "RINGTRUE_PORT=80", "RINGTRUE_WEB_SERVICE_HOST=10.0.0.2"); !strings.Contains(errs, "name=RINGTRUE_PORT") {
		t.Errorf("a port that somebody meant: %q", errs)
	}
	if code, errs := said([]string{"run", "--to", "+15550123", "--dataset", "ds_1"}, "RINGTRUE_AGNET=hunter2"); code != exitUsage ||
		!strings.Contains(errs, "No flag reads RINGTRUE_AGNET; did you mean RINGTRUE_AGENT?") || strings.Contains(errs, "hunter2") {
		t.Errorf("%d %q", code, errs)
	}
	if _, errs := said([]string{"version", "--log-level", "error"}, "RINGTRUE_LISEN=hunter2"); errs != "" {
		t.Errorf("warnings were not asked for: %q", errs)
	}
}

// What the unit for systemd sets is read, and what it starts is a command.
func TestTheUnitStartsTheService(t *testing.T) {
	t.Parallel()
	unit, err := os.ReadFile("../../deploy/ringtrue.service")
	if err != nil {
		t.Fatal(err)
	}
	var environ []string
	for _, set := range regexp.MustCompile(`(?m)^Environment=(.*)$`).FindAllSubmatch(unit, -1) {
		environ = append(environ, string(set[1]))
	}
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/ringtrue (.*)$`).FindSubmatch(unit)
	if len(environ) == 0 || start == nil {
		t.Fatalf("sets %q, starts %q", environ, start)
	}
	for _, args := range [][]string{{"version"}, append(strings.Fields(string(start[1])), "--help")} {
		var out, errs bytes.Buffer
		code := run(t.Context(), &world{args: args, environ: environ, in: strings.NewReader(""), out: &out, err: &errs, version: "v1"})
		if code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: %d %q", args, code, &errs)
		}
	}
}
