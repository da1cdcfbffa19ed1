package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// TestAnOptOutTakesWhatACrashLeft lays beside the recording of a call what a process leaves
// that is killed while it keeps another of it: no row names that, and the opt-out takes it too.
// It needs real time, because a server is asked over the network.
func TestAnOptOutTakesWhatACrashLeft(t *testing.T) {
	t.Parallel()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(plantedSound(t, true, false)) }))
	t.Cleanup(far.Close)
	data := t.TempDir()
	r := newRig(t, func(o *Options) { o.FetchAllow, o.Data = []string{"127.0.0.1"}, data })
	folder := func(id string) string { return filepath.Join(data, RecordingsDir, r.mine.id, id) }
	stays := r.submitted(t, "stays", far.URL+"/1.wav").ID
	goes := r.submitted(t, "goes", far.URL+"/2.wav").ID
	for _, id := range []string{stays, goes} {
		for _, name := range []string{"fetched-0.wav", "fetched-1.wav.77.tmp"} {
			must(t, os.WriteFile(filepath.Join(folder(id), name), []byte("what was said"), 0o600))
		}
	}
	_, err := r.mine.api.SubmitCallLog(t.Context(), client.CallLog{
		Provider: "custom", ExternalAgentID: r.mine.source, Metadata: map[string]any{"opt_out_sensitive_data_storage": true},
		Payload: client.CustomPayload{
			CallID: "goes", RecordingURL: far.URL + "/2.wav", FromNumber: "+15550177", ToNumber: "+15550188",
			StartTimestamp: 1_760_000_000_000, EndTimestamp: 1_760_000_015_000, Status: "ended",
		},
	})
	must(t, err)
	eventually(t, "no file of the call is left", func(context.Context) bool {
		left, err := filepath.Glob(filepath.Join(folder(goes), "*"))
		must(t, err)
		return len(left) == 0
	})
	if left, err := filepath.Glob(filepath.Join(folder(stays), "*")); err != nil || len(left) != 3 {
		t.Errorf("of another call are left %q, %v", left, err)
	}
}
