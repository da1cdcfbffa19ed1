package main

import (
	"net"
	"strings"
	"testing"
)

func TestAStartThatFailsDoesNotUseUpTheFirstKey(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // it only holds the port
	data := "--data=" + t.TempDir()
	code, out, problems := ringtrue(t, "serve", data, "--listen", taken.Addr().String())
	if code != exitCouldNot || out != "" || !strings.Contains(problems, "listen") {
		t.Fatalf("exit code %d, %q, %q", code, out, problems)
	}
	if _, out, _ := ringtrue(t, "workspaces", "list", data); strings.Contains(out, "ws_") {
		t.Errorf("a workspace was made whose key nobody saw: %s", out)
	}
}

func TestAnAliasOfNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--alias-provider=mine=platform_z", "--alias-kind=mine=chat"} {
		code, _, problems := ringtrue(t, "serve", "--data="+t.TempDir(), "--listen=127.0.0.1:0", flag)
		if code != exitCouldNot || !strings.Contains(problems, "nothing that a name can stand for") {
			t.Errorf("%s: exit code %d, %q", flag, code, problems)
		}
	}
}

func TestAnEmptySecretKeyIsRefused(t *testing.T) {
	refused := func(args ...string) {
		t.Helper()
		code, out, problems := ringtrue(t, append([]string{"serve", "--no-media", "--data=" + t.TempDir(), "--listen=127.0.0.1:0"}, args...)...)
		if code != exitUsage || out != "" || !strings.Contains(problems, "--secret-key is empty") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, out, problems)
		}
	}
	refused("--secret-key=")
	t.Setenv("RINGTRUE_SECRET_KEY", "")
	refused()
}
