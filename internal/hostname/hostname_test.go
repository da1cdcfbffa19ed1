package hostname_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/hostname"
)

func TestOneHostHasOneName(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"files.example.com":     "files.example.com",
		"FILES.example.com.":    "files.example.com",
		"bücher.example":        "xn--bcher-kva.example",
		"BÜCHER.example.":       "xn--bcher-kva.example",
		"bu\u0308cher.example":  "xn--bcher-kva.example",
		"xn--bcher-kva.example": "xn--bcher-kva.example",
		".bücher.example":       ".xn--bcher-kva.example",
		"例え。テスト。":               "xn--r8jz45g.xn--zckzah",
		"１２７.0.0.1":             "127.0.0.1",
		"my_host.internal":      "my_host.internal",
		"ü\u200b_.-":            "ü\u200b_.-",
		"":                      "",
		".":                     "",
	} {
		if got := hostname.Canonical(host); got != want {
			t.Errorf("%q: %q and not %q", host, got, want)
		}
	}
}
