package calllog_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// planted returns words that must not be found. They are meaningless digits and letters, so that
// compression leaves them intact.
func planted() []string {
	return []string{"5557319048", "qzvxkwjpmt", "XKWQJZVPTR", "wjqxzkvptm", "vkxqzjwptr"}
}

func private() calllog.Record {
	p := planted()
	return calllog.Record{
		From: "+1" + p[0], To: "+15550199", StartedAt: time.UnixMilli(1_760_000_000_000).UTC(), EndedAt: time.UnixMilli(1_760_000_060_000).UTC(),
		Metadata: map[string]any{"customer": p[1]},
		Reported: call.Reported{
			ExternalID: "c-1", HasTranscript: true, Turns: []call.Turn{{Speaker: call.Caller, Text: "my word is " + p[2]}},
			Summary: p[4], RecordingURL: "https://" + p[3] + ".example/a.wav",
		},
	}
}

// found returns the planted words that occur in the database's files.
func found(t *testing.T, folder string) (words []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range planted() {
			if bytes.Contains(data, []byte(word)) && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

// plainly is a store that does not compress, so that all words can be found in its file.
type plainly struct{ store.View[calllog.Tx] }

func (plainly) Pack(record, raw []byte) []byte {
	if record == nil { // a body, as one literal of the store's fast compression
		const bodyMark, literal = 0x55, 61 << 2
		n := len(raw) - 1
		return append(append(binary.AppendUvarint([]byte{bodyMark}, uint64(len(raw))), literal, byte(n), byte(n>>8)), raw...)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithNoEntropyCompression(true))
	if err != nil {
		panic(err)
	}
	defer func() { _ = encoder.Close() }()
	return encoder.EncodeAll(record, nil)
}

func TestOptOutLeavesNothingOnDisk(t *testing.T) {
	t.Parallel()
	less := private()
	less.Keep = calllog.KeepBasics
	for name, bodies := range map[string][][]byte{
		"from the beginning": {telling(t, less, nil)},
		"that comes later":   {telling(t, private(), map[string]any{"ticket": planted()[1]}), telling(t, less, nil)},
		"then all of it":     {telling(t, less, nil), telling(t, private(), map[string]any{"ticket": planted()[1]})},
		"that is patched in": {telling(t, private(), map[string]any{"ticket": planted()[1]})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			engine, err := sqlite.Open(t.Context(), filepath.Join(folder, "ringtrue.db"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = engine.Close() })
			st := store.New(engine, noQueue{}, time.Now)
			s := told(plainly{store.As[calllog.Tx](st)})
			var id string
			for i, body := range bodies {
				a, err := s.Accept(t.Context(), "ws_1", body)
				if err != nil {
					t.Fatal(err)
				}
				id = a.ID
				if i == 0 && strings.HasPrefix(name, "that") {
					review(t, st, id)
					if words := found(t, folder); len(words) < len(planted()) {
						t.Fatalf("the test is blind: of what may be kept it finds only %v", words)
					}
				}
			}
			if name == "that is patched in" {
				patch := calllog.Amendment{Metadata: map[string]any{"opt_out_sensitive_data_storage": "true", "note": planted()[0]}, Outcome: planted()[2]}
				for range 2 { // a request may be repeated
					if l, err := s.Amend(t.Context(), "ws_1", id, patch); err != nil || l.Record.Keep != calllog.KeepBasics || len(l.Submissions) != 2 {
						t.Fatal(l.Record.Keep, len(l.Submissions), err)
					}
				}
			}
			if err := st.Scrub(t.Context()); err != nil {
				t.Fatal(err)
			}
			if words := found(t, folder); len(words) > 0 {
				t.Errorf("still on disk: %v", words)
			}
			l, err := s.Log(t.Context(), "ws_1", id)
			if err != nil || l.Call.Keep != calllog.KeepBasics || l.Call.Recording != nil || l.Record.HasTranscript || l.Call.From != "" {
				t.Errorf("%v: %+v", err, l)
			}
			if l.Call.StartedAt.IsZero() || l.Call.Duration() != time.Minute {
				t.Errorf("what may be kept is gone: %+v", l.Call)
			}
			if _, err := s.Amend(t.Context(), "ws_1", id, calllog.Amendment{Outcome: planted()[2]}); err == nil {
				t.Error("more may be added to it")
			}
		})
	}
}

// TestOptOutsAmongManyLeaveNothing erases some of many calls of different sizes, which arrived in
// random order, after the database has moved some of them.
func TestOptOutsAmongManyLeaveNothing(t *testing.T) {
	t.Parallel()
	const calls = 240
	folder := t.TempDir()
	engine, err := sqlite.Open(t.Context(), filepath.Join(folder, "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	st := store.New(engine, noQueue{}, time.Now)
	s := told(plainly{store.As[calllog.Tx](st)})
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string { return fmt.Sprintf("word%05dqzvxkwjpmt", n) }
	tell := func(n int, keep calllog.Keep, more map[string]any) {
		t.Helper()
		r := private()
		r.Keep, r.ExternalID = keep, fmt.Sprintf("c-%d", n)
		r.Summary, r.RecordingURL = strings.Repeat(word(n), 1+rng.IntN(20)), ""
		r.Turns[0].Text = strings.Repeat(word(n), 1+rng.IntN(60))
		r.Metadata = map[string]any{"customer": word(n)}
		if _, err := s.Accept(t.Context(), "ws_1", telling(t, r, more)); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 2 { // a second record adds to the call
		for _, n := range rng.Perm(calls) {
			tell(n, calllog.KeepEverything, map[string]any{"round": round, "more": strings.Repeat(word(n), rng.IntN(30))})
		}
	}
	erased := rng.Perm(calls)[:calls/2]
	for _, n := range erased {
		tell(n, calllog.KeepBasics, nil)
	}
	left := func() (left, kept int) {
		var all []byte
		for _, file := range []string{"ringtrue.db", "ringtrue.db-wal"} {
			data, err := os.ReadFile(filepath.Join(folder, file))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data...)
		}
		for n := range calls {
			if !bytes.Contains(all, []byte(word(n))) {
				continue
			}
			if slices.Contains(erased, n) {
				left++
			} else {
				kept++
			}
		}
		return left, kept
	}
	if _, err := engine.DB().ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	if n, _ := left(); n == 0 {
		t.Error("the test is blind: the database has left nothing")
	}
	if err := st.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, kept := left(); n > 0 || kept != calls-len(erased) {
		t.Errorf("%d of those that were erased are still there, and %d of %d others", n, kept, calls-len(erased))
	}
	var whole string
	if err := engine.DB().QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&whole); err != nil || whole != "ok" {
		t.Error(whole, err)
	}
}

func TestAnOptOutIsNeverOneTooMany(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := told(m)
	var last error
	for n := 0; last == nil; n++ {
		if n > 1000 {
			t.Fatal("submissions of one call are not bounded")
		}
		_, last = s.Accept(t.Context(), "ws_1", telling(t, private(), map[string]any{"n": n}))
	}
	less := private()
	less.Keep = calllog.KeepBasics
	a, err := s.Accept(t.Context(), "ws_1", telling(t, less, nil))
	if err != nil {
		t.Fatal(err)
	}
	if l, err := s.Log(t.Context(), "ws_1", a.ID); err != nil || l.Record.HasTranscript || l.Call.Keep != calllog.KeepBasics {
		t.Errorf("after the opt-out: %v, %+v", err, l)
	}
}

// review stores what a review would find out about the call.
func review(t *testing.T, st *store.Store, id string) {
	t.Helper()
	if err := st.Write(t.Context(), func(tx *store.Tx) error {
		c, err := tx.CallByID(t.Context(), "", id)
		if err != nil {
			return err
		}
		heard := call.Heard{Turns: []call.Turn{{Text: planted()[2]}}}
		c.ScoringStatus, c.Verdict, c.VerdictReason = call.Scored, call.Passed, "They said "+planted()[2]
		c.Recording = &call.Recording{Key: "ws_1/a.wav", SHA256: "abcd"}
		if err := tx.UpdateCall(context.Background(), c); err != nil {
			return err
		}
		if err := tx.KeepHeard(t.Context(), "abcd", "engine", heard); err != nil {
			return err
		}
		return tx.SaveReview(t.Context(), call.Review{CallID: id, Heard: heard})
	}); err != nil {
		t.Fatal(err)
	}
}

// An opt-out counts in any spelling and at any place; an unreadable one counts, too.
func TestWhereverAnOptOutStands(t *testing.T) {
	t.Parallel()
	const a = `"event":"call_ended"`
	const b = `"type":"end-of-call-report"`
	for body, want := range map[string]calllog.Keep{
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","opt_out_sensitive_data_storage":true}}`:                                                                                                                                                                                                    calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","optOutSensitiveDataStorage":"true"}}`:                                                                                                                                                                                                      calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","OPT-OUT-SENSITIVE-DATA-STORAGE":1}}`:                                                                                                                                                                                                       calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","_opt_out_sensitive_data_storage":true}}`:                                                                                                                                                                                                   calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","call.opt_out_sensitive_data_storage":true}}`:                                                                                                                                                                                               calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","X-Opt-Out-Sensitive-Data-Storage":"on"}}`:                                                                                                                                                                                                  calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","opt_out_sensitive_data_storage_enabled":"yes"}}`:                                                                                                                                                                                           calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","agent_data_storage_setting":"basic_attributes_only"}}`:                                                                                                                                                                                     calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","agentDataStorageSetting":"?"}}`:                                                                                                                                                                                                            calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: hello","opt_out_sensitive_data_storage_since":1760000000000}}`:                                                                                                                                                                                    calllog.KeepEverything,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: hello","data_storage_setting_by":"the agent"}}`:                                                                                                                                                                                                   calllog.KeepEverything,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: hello","opt_out_sensitive_data_storage_default":false}}`:                                                                                                                                                                                          calllog.KeepEverything,
		`"provider":"platform_a","payload":{` + a + `,"opt_out_sensitive_data_storage":true,"call":{"call_id":"a","transcript":"User: qzvx"}}`:                                                                                                                                                                                                    calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","agent":{"data_storage_setting":"basic_attributes_only"}}}`:                                                                                                                                                                                 calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","dataStorageSetting":"everythingExceptPii"}}`:                                                                                                                                                                                               calllog.KeepNoPeople,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","data_storage_setting":"Everything","opt_out_sensitive_data_storage":"n"}}`:                                                                                                                                                                 calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx","metadata":{"opt_out_sensitive_data_storage":true}}}`:                                                                                                                                                                                       calllog.KeepBasics,
		`"provider":"platform_a","payload":{"headers":{},"body":"{\"event\":\"call_ended\",\"call\":{\"call_id\":\"a\",\"transcript\":\"User: qzvx\",\"optOutSensitiveDataStorage\":true}}"}`:                                                                                                                                                     calllog.KeepBasics,
		`"provider":"platform_a","payload":{"headers":{},"opt_out_sensitive_data_storage":true,"body":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx"}}}`:                                                                                                                                                                              calllog.KeepBasics,
		`"provider":"platform_a","payload":{"row":7,"metadata":{"dataStorageSetting":"basic_attributes_only"},"data":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx"}}}`:                                                                                                                                                               calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"callId":"a","transcript":"User: qzvx","optOutSensitiveDataStorage":false,"opt_out_sensitive_data_storage":true}}`:                                                                                                                                                                  calllog.KeepBasics,
		`"provider":"platform_b","payload":{"json":{"opt_out_sensitive_data_storage":"true","body":{"message":{` + b + `,"call":{"id":"a"},"transcript":"User: qzvx"}}}}`:                                                                                                                                                                         calllog.KeepBasics,
		`"provider":"platform_a","metadata":{"opt_out_sensitive_data_storage":true,"x":"qzvx"},"payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx"}}`:                                                                                                                                                                            calllog.KeepBasics,
		`"provider":"platform_a","optOutSensitiveDataStorage":true,"payload":{` + a + `,"call":{"call_id":"a","transcript":"User: qzvx"}}`:                                                                                                                                                                                                        calllog.KeepBasics,
		`"provider":"platform_b","payload":{"message":{` + b + `,"call":{"id":"a"},"transcript":"User: qzvx","opt_out_sensitive_data_storage":true}}`:                                                                                                                                                                                             calllog.KeepBasics,
		`"provider":"custom","payload":{"call_id":"a","recording_url":"https://qzvx.example/a","from_number":"qzvx","to_number":"+1","start_timestamp":1760000000000,"end_timestamp":1760000000000,"status":"ended","opt_out_sensitive_data_storage":true,"transcript":{"kind":"chat_completion","messages":[{"role":"user","content":"qzvx"}]}}`: calllog.KeepBasics,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: hello","opt_out_sensitive_data_storage":false,"data_storage_setting":"everything"}}`:                                                                                                                                                              calllog.KeepEverything,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","metadata":{"optOut":true,"opt_out":"yes","storage":{"sms_opt_out":true,"dataStorage":"none"}},"transcript":"User: opt_out_sensitive_data_storage: true","transcript_with_tool_calls":[{"role":"user","content":"{\"opt_out_sensitive_data_storage\":true}"},{"role":"tool_call_result","content":"{\"opt_out_sensitive_data_storage\":true}"}]}}`: calllog.KeepEverything,
		`"provider":"platform_a","payload":{` + a + `,"call":{"call_id":"a","transcript":"User: hello","opt_out_sensitive_data_storage":null}}`: calllog.KeepEverything,
	} {
		m := &memory{}
		if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte("{"+body+"}")); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		record, raw := packed(&m.submissions[0])
		if c := m.calls[0]; c.Keep != want || c.From != "" || want != calllog.KeepEverything && (raw != "" || strings.Contains(record, "qzvx") || len(c.Metadata) > 0) {
			t.Errorf("%s: %q kept: %+v, %s%s", body, c.Keep, c, record, raw)
		}
	}
}

// An opt-out counts at any depth, since forwarders add wrappings.
func TestAnOptOutFarWithin(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{1, 4, 5, 12, 50} {
		deep := strings.Repeat(`{"more":`, depth) + `{"optOutSensitiveDataStorage":true}` + strings.Repeat("}", depth)
		m := &memory{}
		_, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"platform_a","payload":{"event":"call_ended","call":{"call_id":"a","transcript":"User: qzvx","settings":`+deep+`}}}`))
		if err != nil {
			t.Fatal(depth, err)
		}
		if c := m.calls[0]; c.Keep != calllog.KeepBasics {
			t.Errorf("%d objects deep: %q is kept", depth, c.Keep)
		}
	}
}
