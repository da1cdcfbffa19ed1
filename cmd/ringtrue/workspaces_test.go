package main

import (
	"bytes"
	"strings"
	"testing"
)

// ringtrue runs one command on an empty outside world.
func ringtrue(t *testing.T, args ...string) (code int, out, problems string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), &world{args: args, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"})
	return code, stdout.String(), stderr.String()
}

func TestWorkspacesHaveTheirOwnKeys(t *testing.T) {
	t.Parallel()
	data := "--data=" + t.TempDir()
	var ids []string
	for _, name := range []string{"first", "second"} {
		code, out, problems := ringtrue(t, "workspaces", "create", data, name)
		lines := strings.Fields(out)
		if code != exitOK || len(lines) != 2 || !strings.HasPrefix(lines[0], "ws_") || !strings.HasPrefix(lines[1], "rt_") {
			t.Fatalf("create %s: exit code %d, %q, %s", name, code, out, problems)
		}
		ids = append(ids, lines[0])
	}
	code, out, _ := ringtrue(t, "workspaces", "list", data)
	if code != exitOK || !strings.Contains(out, ids[0]+"  first") || !strings.Contains(out, ids[1]+"  second") {
		t.Errorf("list: exit code %d, %q", code, out)
	}
	code, _, problems := ringtrue(t, "keys", "create", data)
	if code != exitCouldNot || !strings.Contains(problems, "workspaces list") {
		t.Errorf("a key of no workspace in particular: exit code %d, %q", code, problems)
	}
	if code, _, problems = ringtrue(t, "keys", "create", data, "--workspace", ids[1], "--name", "ci"); code != exitOK {
		t.Errorf("keys create --workspace: exit code %d, %s", code, problems)
	}
	_, first, _ := ringtrue(t, "keys", "list", data, "--workspace", ids[0])
	_, second, _ := ringtrue(t, "keys", "list", data, "--workspace", ids[1])
	if strings.Contains(first, " ci ") || !strings.Contains(second, " ci ") {
		t.Errorf("the key is in the wrong workspace:\n%s\n%s", first, second)
	}
	for _, args := range [][]string{{"keys", "create"}, {"keys", "list"}, {"keys", "revoke", "key_1"}, {"people", "invite", "grace@example.com"}} {
		code, _, problems := ringtrue(t, append(args, data, "--workspace", "ws_none")...)
		if code != exitCouldNot || !strings.Contains(problems, `there is no workspace "ws_none"`) {
			t.Errorf("%v in no workspace: exit code %d, %q", args, code, problems)
		}
	}
	for _, args := range [][]string{{"keys", "list", data, "--workspace", "ws_none"}, {"workspaces", "create", data, " "}} {
		if code, out, _ := ringtrue(t, args...); code != exitCouldNot || out != "" {
			t.Errorf("%v: exit code %d, %q", args, code, out)
		}
	}
}

// An address is written with a slash at its end as often as without: the links are the same.
func TestALinkHasOneSlash(t *testing.T) {
	t.Parallel()
	data := "--data=" + t.TempDir()
	said := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), &world{args: args, in: strings.NewReader(""), out: &stdout, err: &stderr, version: "test"}); code != exitOK {
			t.Fatalf("%v ends with %d: %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	said("keys", "create", data) // makes the workspace
	link := said("people", "invite", "grace@example.com", data, "--public-url=https://ringtrue.example.org/")
	if !strings.HasPrefix(link, "https://ringtrue.example.org/join?token=") {
		t.Errorf("the link is %s", link)
	}
}
