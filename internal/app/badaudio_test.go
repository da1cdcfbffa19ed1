package app

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio/decode/decodetest"
)

// TestRecordingsThatAreMadeToBreakReaders has a service fetch files of every kind
// that are no recordings, or none that one could trust: each call is reviewed all
// the same, by its transcript where there is no sound, and says what was missing.
// It needs real time, because a server is asked over the network.
func TestRecordingsThatAreMadeToBreakReaders(t *testing.T) {
	t.Parallel()
	files := decodetest.Broken()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = w.Write(files[req.URL.Query().Get("file")])
	}))
	t.Cleanup(far.Close)
	r := newRig(t, func(o *Options) { o.FetchAllow = []string{"127.0.0.1"} })
	names, ids, began := slices.Sorted(maps.Keys(files)), map[string]string{}, time.Now()
	for _, name := range names {
		ids[name] = r.handIn(t, name, far.URL+"/r?file="+url.QueryEscape(name))
	}
	sounds := 0
	for _, name := range names {
		c := r.scored(t, ids[name], func(client.Call) bool { return true })
		// Five turns are in the transcript; sound that has nothing to do with it may be heard as one more.
		turns := len(c.Turns)
		if c.RecordingURL != nil && turns == 6 {
			turns = 5
		}
		if c.Verdict == nil || *c.Verdict == "void" || turns != 5 || c.Feeling == nil {
			t.Errorf("%s: the call is %v with %d turns, because %s", name, word(c.Verdict), len(c.Turns), c.VerdictReason)
		}
		if c.RecordingURL != nil {
			sounds++
			continue
		}
		if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "recording") }) {
			t.Errorf("%s: nothing says why there is no recording: %q", name, c.Notes)
		}
	}
	// Nine seconds, and with the race detector on a slow machine more than a minute.
	if took := time.Since(began); took > 3*time.Minute {
		t.Errorf("%d files took %s", len(files), took)
	}
	t.Logf("%d files, %d of which gave some sound", len(files), sounds)
	if a := r.ask(t, r.mine, "GET", "/agents", nil); a.status != 200 {
		t.Errorf("afterwards the service answers %d", a.status)
	}
	r.checkLog(t)
}

// handIn submits the planted call with the recording at that address and returns its id.
func (r *rig) handIn(t *testing.T, id, address string) string {
	t.Helper()
	const began = 1_760_000_000_000
	payload := client.CustomPayload{
		CallID: id, RecordingURL: address, FromNumber: "+15550177", ToNumber: "+15550188", StartTimestamp: began, EndTimestamp: began + 15_000,
		Status: "ended", Transcript: &client.Transcript{Kind: client.TranscriptKind},
	}
	for _, s := range plantedCall() {
		payload.Transcript.Messages = append(payload.Transcript.Messages, client.Message{Role: s.role, Start: new(int64(s.from)), Content: s.text})
	}
	accepted, err := r.mine.api.SubmitCallLog(t.Context(), client.CallLog{Provider: "custom", Payload: payload, ExternalAgentID: r.mine.source})
	must(t, err)
	return accepted.ID
}

// TestRecordingAddressesThatLeadInside submits calls whose recordings lie where
// nobody may look: none is asked for, and each call says so.
func TestRecordingAddressesThatLeadInside(t *testing.T) {
	t.Parallel()
	hit := make(chan string, 100)
	canary := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { hit <- req.URL.Path }))
	t.Cleanup(canary.Close)
	port := canary.URL[strings.LastIndex(canary.URL, ":")+1:]
	r := newRig(t)
	ids := map[string]string{}
	for i, host := range []string{"127.0.0.1", "localhost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "2130706433", "0x7f000001", "127.1", "017700000001", "a:b@127.0.0.1", "127。0。0。1", "①②⑦.0.0.1"} {
		ids[host] = r.handIn(t, fmt.Sprintf("inside-%d", i), "http://"+host+":"+port+"/secret.wav")
	}
	for host, id := range ids {
		c := r.scored(t, id, func(client.Call) bool { return true })
		if c.RecordingURL != nil || len(c.Turns) != 5 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "no usable recording") }) {
			t.Errorf("%s: recording %v, %d turns, notes %q", host, c.RecordingURL, len(c.Turns), c.Notes)
		}
	}
	for _, address := range []string{"file:///etc/passwd", "gopher://127.0.0.1:" + port + "/_x", "unix:///run/x.sock", "http:///x", "ftp://127.0.0.1/x", "javascript:1", "//127.0.0.1/x"} {
		body := strings.Replace(callLogBody(`"metadata":{}`), "https://example.com/a.wav", address, 1)
		p := r.refused(t, address, r.ask(t, r.mine, "POST", "/v2/call-logs", []byte(body)), 422, "invalid_fields")
		if !slices.Equal(p.paths(), []string{"payload.recording_url"}) {
			t.Errorf("%s: faults at %v", address, p.paths())
		}
	}
	if len(hit) > 0 {
		t.Errorf("the canary was asked for %s", <-hit)
	}
	r.checkLog(t)
}
