package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigurationFileSetsFlagsAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, want string }{
		{"a flag", `{"log_level": "warn"}`, ""},
		{"a flag behind a byte order mark", "\ufeff" + `{"log_level": "warn"}`, ""},
		{"a flag in UTF-16", "\xff\xfe{\x00\"\x00l\x00o\x00g\x00-\x00l\x00e\x00v\x00e\x00l\x00\"\x00:\x00\"\x00w\x00a\x00r\x00n\x00\"\x00}\x00", ""},
		{"a flag as the command line spells it", `{"log-level": "never"}`, "--log-level must be one of"},
		{"a flag in both spellings", `{"log-level": "warn", "log_level": "info"}`, "twice"},
		{"a wrong key", `{"listne": ":8080"}`, `names "listne", which is not a flag`},
		{"no object", `[1]`, "not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "config.json")
			if err := os.WriteFile(file, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), &world{args: []string{"version", "--config", file}, in: strings.NewReader(""), out: &out, err: &errs, version: "v1"})
			if (code == exitOK) != (tt.want == "") || !strings.Contains(errs.String(), tt.want) {
				t.Errorf("exit code %d, %s", code, errs.String())
			}
		})
	}
}

// A value of the file means what it means on the command line: 600 is no duration, and one and a half calls are none.
func TestAConfigurationFileIsReadLikeTheCommandLine(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		`{"room-wait": 600}`:                "--room-wait: expected duration but got \"600\"",
		`{"placing": 1.5}`:                  "--placing: expected a valid 64 bit int but got \"1.5\"",
		`{"listen": {"host": "127.0.0.1"}}`: `"listen" must be a string, a number`,
		`{"trunk": [["main=sip://a"]]}`:     `"trunk" must be a string, a number`,
		`{"public-url": ["a", "b"]}`:        "public-url: takes one value",
		`{"trunk": {"main": "sip://a"}}`:    `"trunk" must be a string, a number`,
		`{"no-media": true, "max-call-log": 5e2, "trunk": ["main=sip://a"], "data": null, "public-url": 5}`: "--max-call-log: must be between",
	} {
		name := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, problems := ringtrue(t, "serve", "--config", name, "--data", t.TempDir(), "--listen", "nowhere")
		if code == exitOK || !strings.Contains(problems, want) || strings.Contains(problems, "Go value") {
			t.Errorf("%s: exit code %d, %s", file, code, problems)
		}
	}
}

// Of "no such file" alone nobody knows which of the files that a command line names it is.
func TestAConfigurationFileThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, want := range map[string]string{filepath.Join(folder, "none"): "no such file", folder: "is a directory", "": "is empty"} {
		code, _, problems := ringtrue(t, "version", "--config", name)
		if code != exitUsage || !strings.Contains(problems, "ringtrue: --config: ") || !strings.Contains(problems, want) {
			t.Errorf("%q: exit code %d, %s", name, code, problems)
		}
	}
}

// TestWhatCountsMore of a flag that is given in several ways: the command line, then the environment, then the file.
func TestWhatCountsMore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"log_level": "of the file"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(want string, args ...string) {
		t.Helper()
		code, _, problems := ringtrue(t, append([]string{"version", "--config", file}, args...)...)
		if (code == exitOK) != (want == "") || !strings.Contains(problems, want) {
			t.Errorf("%q is wanted: exit code %d, %s", want, code, problems)
		}
	}
	says("of the file")
	t.Setenv("RINGTRUE_LOG_LEVEL", "of the environment")
	says("of the environment")
	t.Setenv("RINGTRUE_LOG_LEVEL", "warn")
	says("")
	says("of the command line", "--log-level", "of the command line")
}
