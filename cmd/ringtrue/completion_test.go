package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestCompletionKnowsWhatMayFollow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line       string // the words before the cursor
		want, none []string
	}{
		{"", []string{"serve", "keys", "completion", "--log-level", "--help"}, []string{"--listen", "create"}},
		{"serve", []string{"--listen", "--metrics-listen", "--log-level"}, []string{"serve", "--beat", "--agent"}},
		{"--log-level warn serve", []string{"--listen"}, []string{"serve"}},
		{"--log-json serve", []string{"--listen"}, []string{"serve"}},
		{"keys", []string{"create", "list", "revoke"}, []string{"serve"}},
		{"keys create", []string{"--data"}, []string{"create"}},
		{"run file.yaml", []string{"--agent", "--junit"}, []string{"serve"}},
		{"--log-level", []string{"debug", "info", "warn", "error"}, []string{"serve"}},
		{"serve --tts", []string{"local", "openai"}, []string{"--listen"}},
		{"serve --listen", nil, []string{"--listen", "serve", "local"}},
		{"serve --tts =", []string{"local", "openai"}, []string{"--listen"}},
		{"serve --tts = local", []string{"--listen"}, []string{"openai"}},
		{"serve --nonsense", []string{"--listen"}, nil},
		{"nonsense", []string{"serve"}, nil},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"completion", "bash", "--", "ringtrue"}, strings.Fields(c.line)...)
		if code := run(t.Context(), &world{args: args, in: strings.NewReader(""), out: &out, err: &errs, version: "v1"}); code != exitOK {
			t.Fatalf("%q: %d %s", c.line, code, errs.String())
		}
		got := strings.Fields(out.String())
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("after %q there is no %q: %q", c.line, want, got)
			}
		}
		for _, none := range c.none {
			if slices.Contains(got, none) {
				t.Errorf("after %q there is %q", c.line, none)
			}
		}
	}
}

func TestCompletionOfAShellThatIsNotKnown(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := run(t.Context(), &world{args: []string{"completion", "tcsh"}, in: strings.NewReader(""), out: &out, err: &errs, version: "v1"})
	if code != exitUsage || !strings.Contains(errs.String(), "fish") {
		t.Errorf("%d %q", code, errs.String())
	}
}

// What one shell wants another does not: each has its own line to copy.
func TestCompletionTeachesEachShell(t *testing.T) {
	t.Parallel()
	code, said, _ := ringtrue(t, "completion", "--help")
	for _, line := range []string{"source <(ringtrue completion bash)\n", "compinit; source <(ringtrue completion zsh)\n", "ringtrue completion fish | source\n"} {
		if code != exitOK || !strings.Contains(said, line) {
			t.Errorf("code %d, no %q in:\n%s", code, line, said)
		}
	}
}
