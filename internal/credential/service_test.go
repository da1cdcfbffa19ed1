package credential_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// rows is a store in memory.
type rows struct {
	recordings []credential.Recording
	keys       []credential.PlatformKey
}

func (r *rows) Write(_ context.Context, f func(credential.Tx) error) error { return f(r) }
func (r *rows) Read(_ context.Context, f func(credential.Tx) error) error  { return f(r) }

func (r *rows) SaveRecordingCredential(_ context.Context, c credential.Recording) (credential.Recording, error) {
	for i, old := range r.recordings {
		if old.WorkspaceID == c.WorkspaceID && old.Host == c.Host {
			c.ID, c.CreatedAt = old.ID, old.CreatedAt
			r.recordings[i] = c
			return c, nil
		}
	}
	r.recordings = append(r.recordings, c)
	return c, nil
}

func (r *rows) RecordingCredentials(_ context.Context, ws string, limit int, cursor string) (out []credential.Recording, _ error) {
	for _, c := range slices.Backward(r.recordings) {
		if c.WorkspaceID == ws && (cursor == "" || c.ID < cursor) && len(out) < limit {
			out = append(out, c)
		}
	}
	return out, nil
}

func (r *rows) RecordingCredentialsFor(_ context.Context, ws string, hosts []string) (out []credential.Recording, _ error) {
	for _, c := range r.recordings {
		if c.WorkspaceID == ws && slices.Contains(hosts, c.Host) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (r *rows) DeleteRecordingCredential(context.Context, string, string) error { return nil }

func (r *rows) SavePlatformKey(_ context.Context, k credential.PlatformKey) error {
	r.keys = append(slices.DeleteFunc(r.keys, func(o credential.PlatformKey) bool { return o.WorkspaceID == k.WorkspaceID && o.Provider == k.Provider }), k)
	return nil
}

func (r *rows) PlatformKeys(_ context.Context, ws string) (out []credential.PlatformKey, _ error) {
	for _, k := range r.keys {
		if k.WorkspaceID == ws {
			out = append(out, k)
		}
	}
	return out, nil
}

func (r *rows) DeletePlatformKey(context.Context, string, string) error { return nil }

func (r *rows) SealedWith(context.Context) (out []string, _ error) {
	for _, c := range r.recordings {
		out = append(out, c.KeyID)
	}
	for _, k := range r.keys {
		out = append(out, k.KeyID)
	}
	return out, nil
}

// seal seals with its name, for tests to see what was bound to what.
type seal string

func (s seal) KeyID() string               { return string(s) }
func (s seal) Knows(id string) bool        { return id == string(s) }
func (seal) Seal(plain, ctx string) string { return ctx + "|" + plain }
func (seal) Open(sealed, ctx string) (string, error) {
	plain, ok := strings.CutPrefix(sealed, ctx+"|")
	if !ok {
		return "", fmt.Errorf("sealed for something else")
	}
	return plain, nil
}

func service(r *rows, key string) *credential.Service {
	n := 0
	return credential.New(credential.Options{
		Store: r, Sealer: seal(key), NewID: func(p string) string { n++; return fmt.Sprintf("%s_%03d", p, n) }, Now: func() time.Time { return time.Unix(int64(n), 0) },
	})
}

func TestTheNearestHostIsFound(t *testing.T) {
	t.Parallel()
	s := service(&rows{}, "k")
	put := func(ws, host, value string) {
		t.Helper()
		if _, err := s.PutRecording(t.Context(), ws, credential.RecordingInput{Host: host, Header: "X-Key", Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	put("ws_1", "Files.Example.com.", "exact")
	put("ws_1", ".example.com", "below")
	put("ws_1", ".deep.example.com", "deep")
	put("ws_1", "[2001:DB8:0::7]", "six")
	put("ws_1", "files.example.com:8443", "port")
	put("ws_1", "default.example.org:443", "443")
	put("ws_1", "[2001:db8::7]:8443", "six port")
	put("ws_2", "other.example.org", "theirs")
	for host, want := range map[string]string{
		"files.example.com": "exact", "FILES.example.com": "exact", "x.example.com": "below", "a.files.example.com": "below",
		"x.deep.example.com": "deep", "deep.example.com": "below", "example.com": "", "example.com.evil.org": "", "badexample.com": "",
		"other.example.org": "", "com": "", "": "", "2001:db8::7": "six", "2001:db8:0:0::0007": "six", "2001:db8::8": "",
		"files.example.com:8443": "port", "files.example.com:9443": "", "x.example.com:8443": "", "default.example.org": "443", "default.example.org:443": "443",
		"[2001:db8::7]:8443": "six port", "[2001:db8::7]:443": "six", "[2001:db8::7]:1": "",
	} {
		got, ok, err := s.For(t.Context(), "ws_1", host)
		if err != nil || got.Value != want || ok != (want != "") {
			t.Errorf("%s: %+v %v %v, want %q", host, got, ok, err, want)
		}
	}
}

func TestARepeatKeepsItsID(t *testing.T) {
	t.Parallel()
	s := service(&rows{}, "k")
	in := credential.RecordingInput{Host: "h.example.com", Query: "token", Value: "one"}
	first, err := s.PutRecording(t.Context(), "ws_1", in)
	if err != nil {
		t.Fatal(err)
	}
	in.Value = "two"
	second, err := s.PutRecording(t.Context(), "ws_1", in)
	if err != nil || second.ID != first.ID || !second.CreatedAt.Equal(first.CreatedAt) {
		t.Errorf("%+v after %+v: %v", second, first, err)
	}
	got, _, err := s.For(t.Context(), "ws_1", "h.example.com")
	if err != nil || got != (credential.Token{Query: "token", Value: "two"}) {
		t.Errorf("%+v %v", got, err)
	}
}

func TestWhatIsNoCredentialIsRefusedWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	s := service(&rows{}, "k")
	for name, x := range map[string]struct {
		in    credential.RecordingInput
		field string
	}{
		"no host":            {credential.RecordingInput{Header: "X", Value: "sss"}, "host"},
		"a URL":              {credential.RecordingInput{Host: "https://x.com", Header: "X", Value: "sss"}, "host"},
		"a port":             {credential.RecordingInput{Host: "x.com:80", Header: "X", Value: "sss"}, "host"},
		"no such port":       {credential.RecordingInput{Host: "x.com:70000", Header: "X", Value: "sss"}, "host"},
		"a word as port":     {credential.RecordingInput{Host: "x.com:https", Header: "X", Value: "sss"}, "host"},
		"a port with a sign": {credential.RecordingInput{Host: "x.com:+8443", Header: "X", Value: "sss"}, "host"},
		"a port with a zero": {credential.RecordingInput{Host: "x.com:08443", Header: "X", Value: "sss"}, "host"},
		"two ports":          {credential.RecordingInput{Host: "x.com:1:2", Header: "X", Value: "sss"}, "host"},
		"a whole TLD":        {credential.RecordingInput{Host: ".com", Header: "X", Value: "sss"}, "host"},
		"a pasted blank":     {credential.RecordingInput{Host: "x.com\u00a0", Header: "X", Value: "sss"}, "host"},
		"an unseen letter":   {credential.RecordingInput{Host: "\u202ex.com", Header: "X", Value: "sss"}, "host"},
		"a star":             {credential.RecordingInput{Host: "*.x.com", Header: "X", Value: "sss"}, "host"},
		"nothing to carry":   {credential.RecordingInput{Host: "x.com", Value: "sss"}, "header"},
		"both":               {credential.RecordingInput{Host: "x.com", Header: "X", Query: "y", Value: "sss"}, "query"},
		"a split header":     {credential.RecordingInput{Host: "x.com", Header: "X: y\r\nZ", Value: "sss"}, "header"},
		"our own header":     {credential.RecordingInput{Host: "x.com", Header: "content-length", Value: "sss"}, "header"},
		"no value":           {credential.RecordingInput{Host: "x.com", Header: "X"}, "value"},
		"a split value":      {credential.RecordingInput{Host: "x.com", Header: "X", Value: "sss\r\nY: z"}, "value"},
		"a long value":       {credential.RecordingInput{Host: "x.com", Header: "X", Value: strings.Repeat("sss", 3000)}, "value"},
	} {
		_, err := s.PutRecording(t.Context(), "ws_1", x.in)
		if p := problem.As(err); p == nil || p.Code != problem.InvalidFields || p.Fields[0].Path != x.field || strings.Contains(err.Error(), "sss") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, host := range []string{"x.com", "10.0.0.1", "[::1]", "localhost", "bücher.example"} {
		if _, err := s.PutRecording(t.Context(), "ws_1", credential.RecordingInput{Host: host, Header: "Authorization", Value: "Bearer x"}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// People type the letters of their language, and links have what those are looked up as.
func TestAHostIsFoundByEitherOfItsNames(t *testing.T) {
	t.Parallel()
	r := &rows{}
	s := service(r, "k")
	for n, host := range []string{"Bücher.example", "xn--bcher-kva.example"} {
		in := credential.RecordingInput{Host: host, Header: "Authorization", Value: "for " + strconv.Itoa(n)}
		if _, err := s.PutRecording(t.Context(), "ws_1", in); err != nil {
			t.Fatal(err)
		}
		for _, link := range []string{"bücher.example", "xn--bcher-kva.example"} {
			if token, _, err := s.For(t.Context(), "ws_1", link); err != nil || token.Value != in.Value {
				t.Errorf("given for %s, asked for %s: %q %v", host, link, token.Value, err)
			}
		}
	}
	if len(r.recordings) != 1 {
		t.Errorf("%d are kept for one host", len(r.recordings))
	}
}

// Who has pasted an address is told so, and not of a port that it does not name.
func TestAnAddressInThePlaceOfAHostIsCalledOne(t *testing.T) {
	t.Parallel()
	s := service(&rows{}, "k")
	for _, host := range []string{"https://x.com", "https://x.com:8443/recordings", "x.com:8443/recordings", "x.com/recordings", "user@x.com"} {
		_, err := s.PutRecording(t.Context(), "ws_1", credential.RecordingInput{Host: host, Header: "X", Value: "v"})
		if p := problem.As(err); p == nil || !strings.HasSuffix(p.Fields[0].Message, "without https:// and path") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestAnotherKeyIsRefusedBeforeItSeals(t *testing.T) {
	t.Parallel()
	r := &rows{}
	in := credential.RecordingInput{Host: "h.example.com", Header: "X", Value: "v"}
	if _, err := service(r, "k1").PutRecording(t.Context(), "ws_1", in); err != nil {
		t.Fatal(err)
	}
	other := service(r, "k2")
	for name, err := range map[string]error{
		"check": other.Check(t.Context()),
		"put":   func() error { _, err := other.PutRecording(t.Context(), "ws_1", in); return err }(),
		"key":   func() error { _, err := other.PutPlatformKey(t.Context(), "ws_1", "platform_a", "v"); return err }(),
		"open":  func() error { _, _, err := other.For(t.Context(), "ws_1", "h.example.com"); return err }(),
	} {
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "--secret-key") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(r.keys) != 0 || r.recordings[0].KeyID != "k1" {
		t.Error("it sealed all the same")
	}
}

func TestPlatformKeys(t *testing.T) {
	t.Parallel()
	s := service(&rows{}, "k")
	if _, err := s.PutPlatformKey(t.Context(), "ws_1", "platform_c", "v"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a platform that nobody knows: %v", err)
	}
	for _, key := range []string{"first", "second"} {
		if _, err := s.PutPlatformKey(t.Context(), "ws_1", "platform_a", key); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := s.PlatformKey(t.Context(), "ws_1", "platform_a"); err != nil || !ok || got != key {
			t.Errorf("%q %v %v, want %q", got, ok, err, key)
		}
	}
	for _, other := range [][2]string{{"ws_2", "platform_a"}, {"ws_1", "platform_b"}} {
		if _, ok, err := s.PlatformKey(t.Context(), other[0], other[1]); ok || err != nil {
			t.Errorf("%v has a key: %v", other, err)
		}
	}
}

func FuzzHosts(f *testing.F) {
	f.Add("files.example.com", "files.example.com")
	f.Add(".example.com", "x.example.com")
	f.Fuzz(func(t *testing.T, pattern, host string) {
		s := service(&rows{}, "k")
		if _, err := s.PutRecording(t.Context(), "ws_1", credential.RecordingInput{Host: pattern, Header: "X", Value: "v"}); err != nil {
			return
		}
		_, ok, err := s.For(t.Context(), "ws_1", host)
		plain := func(host string) string {
			return strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(host), ":443"), ".")
		}
		p, h := plain(pattern), plain(host)
		if err != nil || ok && h != p && !(strings.HasPrefix(p, ".") && strings.HasSuffix(h, p)) {
			t.Errorf("a token for %q went to %q: %v", pattern, host, err)
		}
	})
}
