package calllog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

// unkept is a store that keeps nothing, so that only the work before it is measured.
type unkept struct{ *memory }

func (unkept) Write(context.Context, func(calllog.Tx) error) error { return nil }
func (unkept) Pack(_, raw []byte) []byte                           { return raw }

// BenchmarkAccept reads bodies of about 4 KB as each platform writes them.
func BenchmarkAccept(b *testing.B) {
	readers := map[string]calllog.Reader{calllog.Custom: custom.Reader(nil), calllog.PlatformA: platforma.Reader(), calllog.PlatformB: platformb.Reader()}
	s := calllog.New(calllog.Options{Store: unkept{new(memory)}, Readers: readers, NewID: func(string) string { return "" }, Now: time.Now})
	for provider, payload := range map[string]any{calllog.Custom: customCall(), calllog.PlatformA: callOfA(), calllog.PlatformB: callOfB()} {
		body, err := json.Marshal(map[string]any{
			"provider": provider, "externalAgentId": "front-desk", "payload": payload,
			"metadata": map[string]any{"agent_name": "Front desk", "campaign": "spring", "ticket": "1234"},
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(provider, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Accept(b.Context(), "ws_1", body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// utterances is the number of utterances per call.
const utterances = 26

func sentence(i int) string {
	return fmt.Sprintf("On day %d the doctor has %s, which I can book for you.", i, strings.Repeat("time in the morning, ", i%3))
}

func customCall() any {
	messages := []any{}
	for i := range utterances {
		role := []string{"assistant", "user"}[i%2]
		m := map[string]any{"role": role, "start": 1000 * i, "content": sentence(i)}
		messages = append(messages, m)
		if i%8 == 6 {
			id := fmt.Sprint("t", i)
			m["tool_calls"] = []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "find_slot", "arguments": `{"day":3,"hour":11}`}}}
			messages = append(messages, map[string]any{"role": "tool", "tool_call_id": id, "content": `{"free":true}`})
		}
	}
	return map[string]any{
		"call_id": "c-1", "recording_url": "https://recordings.example.org/1.wav", "from_number": "+15551234567", "to_number": "+15550199",
		"start_timestamp": 1_760_000_000_000, "end_timestamp": 1_760_000_060_000, "status": "ended",
		"transcript": map[string]any{"kind": "chat_completion", "messages": messages},
	}
}

func callOfA() any {
	turns := []any{}
	for i := range utterances / 8 {
		words := []any{}
		for k, word := range strings.Fields(sentence(i)) {
			at := float64(10*i) + float64(k)/4
			words = append(words, map[string]any{"word": word, "start": at, "end": at + 0.2})
		}
		turns = append(turns, map[string]any{"role": []string{"agent", "user"}[i%2], "content": sentence(i), "words": words})
	}
	return map[string]any{"event": "call_ended", "call": map[string]any{
		"call_id": "c-1", "call_type": "phone_call", "call_status": "ended", "agent_id": "agent_1", "direction": "inbound", "from_number": "+15551234567",
		"to_number": "+15550199", "start_timestamp": 1_760_000_000_000, "end_timestamp": 1_760_000_060_000, "disconnection_reason": "user_hangup",
		"recording_url": "https://recordings.example.org/1.wav", "transcript_object": turns,
	}}
}

func callOfB() any {
	messages := []any{}
	for i := range utterances {
		messages = append(messages, map[string]any{
			"role": []string{"bot", "user"}[i%2], "message": sentence(i), "time": 1_760_000_000_000 + 1000*i, "endTime": 1_760_000_000_900 + 1000*i,
			"secondsFromStart": i, "duration": 900,
		})
	}
	return map[string]any{"message": map[string]any{
		"type": "end-of-call-report", "timestamp": 1_760_000_060_000, "startedAt": "2025-10-09T08:53:20.000Z", "endedAt": "2025-10-09T08:54:20.000Z",
		"endedReason": "customer-ended-call", "call": map[string]any{"id": "c-1", "type": "inboundPhoneCall", "assistantId": "as_1"},
		"customer": map[string]any{"number": "+15551234567"}, "artifact": map[string]any{"messages": messages},
	}}
}
