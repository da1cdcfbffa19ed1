package sip

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

func TestParseTrunk(t *testing.T) {
	t.Parallel()
	got, err := ParseTrunk("main=sip://bob:s%40cret@pbx.example.com:5070;transport=tcp?from=%2B15550001111&calls_per_second=2.5&concurrent_calls=0&codecs=PCMA")
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "main" || got.Host != "pbx.example.com:5070" || got.Transport != TCP || got.User != "bob" || got.Password != "s@cret" ||
		got.From != "+15550001111" || got.CallsPerSecond != 2.5 || got.ConcurrentCalls != 0 || len(got.Codecs) != 1 || got.Codecs[0] != g711.PCMA() {
		t.Errorf("%#v from %q %q", got, got.From, got.User)
	}
	for _, shown := range []string{got.String(), fmt.Sprintf("%v %+v %#v", got, got, got), got.LogValue().String()} {
		if strings.Contains(shown, "cret") {
			t.Errorf("the password shows in %q", shown)
		}
	}
	plain, err := ParseTrunk("a=sip://192.0.2.7?from=+1555")
	if err != nil || plain.Host != "192.0.2.7:5060" || plain.Transport != UDP || plain.From != "+1555" || plain.CallsPerSecond != 1 || plain.ConcurrentCalls != 10 {
		t.Errorf("%+v, %v", plain, err)
	}
	for text, names := range map[string]string{
		"": "name", "sip://host": "name", "a=http://host": "sip://", "a=sip://": "host", "a=sip://h:0": "port", "a=sip://h:99999": "port",
		"a=sip://h;transport=tls": "transport", "a=sip://h;x=1": "x", "a=sip://h?calls_per_second=-1": "calls_per_second",
		"a=sip://h?concurrent_calls=x": "concurrent_calls", "a=sip://h?codecs=G729": "codec", "a=sip://h?nope=1": "nope",
		"a=sip://u:secret%zz@h": "percent", "a=sip://u:secret?x@h": "%3F", "a=sip://u:1?secret@h;transport=tcp?from=%2B1": "%3F",
	} {
		_, err := ParseTrunk(text)
		if err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%q: %v, want an error that names %s", text, err, names)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats the password", text)
		}
	}
}

func FuzzParseTrunk(f *testing.F) {
	for _, seed := range []string{"a=sip://u:p@h:1;transport=tcp?from=%2B1", "a=sip://[::1]:5060", "=sip://", "a=sip://@@;;??&&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		trunk, err := ParseTrunk(text)
		if err == nil && (trunk.Name == "" || trunk.Host == "" || trunk.Transport == "") {
			t.Fatalf("%q gave an incomplete trunk %v", text, trunk)
		}
	})
}
