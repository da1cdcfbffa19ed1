package speech

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
)

// particular answers questions, but refuses certain fields as its model does.
type particular struct {
	status  int
	refuses map[string]string // the error message by field
	asked   []map[string]any
}

func (p *particular) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := map[string]any{}
	if strings.HasSuffix(r.URL.Path, "/audio/transcriptions") {
		_, _, _ = r.FormFile("file")
		for name, values := range r.MultipartForm.Value {
			q[name] = values[0]
		}
	} else {
		_ = json.NewDecoder(r.Body).Decode(&q)
	}
	p.asked = append(p.asked, q)
	for _, name := range []string{"response_format", "max_tokens", "temperature", "seed", "stream", "stream_options", wordTimes, "tools"} {
		if says := p.refuses[name]; says != "" && q[name] != nil && q[name] != "json" {
			w.WriteHeader(p.status)
			fmt.Fprint(w, says)
			return
		}
	}
	if q["response_format"] == "verbose_json" {
		fmt.Fprint(w, `{"text":"Monday.","words":[{"word":"Monday","start":0,"end":1}]}`)
		return
	}
	fmt.Fprint(w, `{"text":"Monday.","choices":[{"message":{"role":"assistant","content":"Monday."}}]}`)
}

var everything = chat.Request{
	Messages: []chat.Message{{Role: chat.User, Content: "When, in JSON?"}}, JSON: true, Seed: 7, MaxTokens: 200,
	Tools: []chat.Tool{{Name: "hang_up", Parameters: json.RawMessage(`{"type":"object"}`)}},
}

// TestWhatAModelRefusesIsNotAskedAgain makes endpoints refuse fields in ways found in practice: the
// answer must be obtained without them, and the next question must leave them out from the start.
func TestWhatAModelRefusesIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	param := func(name, says string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":%q,"code":"unsupported_parameter"}}`, says, name)
	}
	for name, c := range map[string]struct {
		p     particular
		gone  []string
		tries int
	}{
		"a model that thinks": {particular{status: 400, refuses: map[string]string{
			"max_tokens":  param("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
			"temperature": param("temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."),
		}}, []string{"max_tokens", "temperature"}, 3},
		"an organisation that may not stream": {particular{status: 400, refuses: map[string]string{
			"stream": param("stream", "Your organization must be verified to stream this model."),
		}}, []string{"stream", "stream_options"}, 2},
		"one that says it in words": {particular{status: 400, refuses: map[string]string{
			"seed":           `{"error":{"message":"property 'seed' is unsupported, did you mean 'user'?"}}`,
			"stream_options": `{"error":{"message":"Unrecognized request argument supplied: stream_options","param":null}}`,
		}}, []string{"seed", "stream_options"}, 3},
		"one that lists the places": {particular{status: 422, refuses: map[string]string{
			"seed": `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7},` +
				`{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{}}]}`,
		}}, []string{"seed", "stream_options"}, 2},
		"one that knows another JSON": {particular{status: 400, refuses: map[string]string{
			"response_format": `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`,
		}}, []string{"response_format"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, pauses := overHTTP(t, c.p.ServeHTTP)
			for range 2 {
				if m, err := e.Model().Complete(t.Context(), everything, nil); err != nil || m.Content != "Monday." {
					t.Fatalf("got %+v, %v", m, err)
				}
			}
			if len(c.p.asked) != c.tries+1 || len(*pauses) > 0 {
				t.Errorf("two answers took %d questions, want %d; waited %v", len(c.p.asked), c.tries+1, *pauses)
			}
			last := c.p.asked[len(c.p.asked)-1]
			for _, name := range []string{"model", "messages", "tools", "temperature", "seed", "stream", "stream_options", "max_tokens", "response_format"} {
				if _, asks := last[name]; asks == slices.Contains(c.gone, name) {
					t.Errorf("asks for %s: %v", name, asks)
				}
			}
			bound, _ := last["max_completion_tokens"].(float64)
			if slices.Contains(c.gone, "max_tokens") != (bound > 200) {
				t.Errorf("the answer's newer bound is %v", bound)
			}
		})
	}
}

// TestARefusalThatStaysIsTheFirst checks that nothing is learned if leaving a field out does not
// help, and that the first error is the one returned.
func TestARefusalThatStaysIsTheFirst(t *testing.T) {
	t.Parallel()
	p := particular{status: 400, refuses: map[string]string{
		"seed":  `{"error":{"message":"no seed","param":"seed"}}`,
		"tools": `{"error":{"message":"no tools, and no temperature either","param":"tools"}}`,
	}}
	e, _ := overHTTP(t, p.ServeHTTP)
	for range 2 {
		_, err := e.Model().Complete(t.Context(), everything, nil)
		if cause := problem.As(err); cause == nil || cause.Code != problem.Unavailable || !strings.Contains(fmt.Sprint(cause.Unwrap()), "no seed") {
			t.Errorf("got %v", err)
		}
	}
	if len(p.asked) != 4 || p.asked[2]["seed"] == nil || p.asked[1]["seed"] != nil || p.asked[1]["temperature"] == nil {
		t.Errorf("asked %d times: %v", len(p.asked), p.asked)
	}
}

func TestARecogniserWithoutWordTimes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p     particular
		words int
		tries int
	}{
		"all of it": {particular{}, 1, 1},
		"text alone": {particular{status: 400, refuses: map[string]string{
			"response_format": `{"error":{"message":"response_format 'verbose_json' is not compatible with model 'x'. Use 'json' or 'text' instead.","param":"response_format"}}`,
		}}, 0, 2},
		"no word times asked for": {particular{status: 400, refuses: map[string]string{
			wordTimes: `{"error":{"message":"Unknown parameter: 'timestamp_granularities'."}}`,
		}}, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := overHTTP(t, c.p.ServeHTTP)
			speech := review.Speech{PCM: make([]int16, 16000), Rate: 8000, Segments: []call.Segment{{End: time.Second}}}
			for range 2 {
				got, err := e.Transcriber().Transcribe(t.Context(), speech)
				if err != nil || got[0].Text != "Monday." || len(got[0].Words) != c.words {
					t.Errorf("got %+v, %v", got, err)
				}
			}
			if len(c.p.asked) != c.tries+1 {
				t.Errorf("two answers took %d questions, want %d", len(c.p.asked), c.tries+1)
			}
		})
	}
}

// TestToolCallsOfOneIndex makes a server give every tool call of an answer the same index, as some
// do, or leave a gap.
func TestToolCallsOfOneIndex(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"each whole": {
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"press_keys","arguments":"{\"keys\":\"1\"}"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"hang_up","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		},
		"in pieces, with a gap": {
			`{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"a","function":{"name":"press_keys","arguments":"{\"keys\""}}]},"finish_reason":""}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"a","function":{"arguments":":\"1\"}"}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":3,"id":"b","function":{"name":"hang_up","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) { events(w, append(lines, "[DONE]")...) })
			m, err := e.Model().Complete(t.Context(), everything, nil)
			if err != nil || len(m.ToolCalls) != 2 {
				t.Fatalf("got %+v, %v", m.ToolCalls, err)
			}
			keys, end := m.ToolCalls[0], m.ToolCalls[1]
			if keys.ID != "a" || keys.Function.Name != "press_keys" || keys.Function.Arguments != `{"keys":"1"}` || end.ID != "b" || end.Function.Name != "hang_up" {
				t.Errorf("got %+v", m.ToolCalls)
			}
		})
	}
}

// TestAModelThatThinksAloud checks that only the answer after the thoughts is spoken, whether it
// comes in pieces or whole.
func TestAModelThatThinksAloud(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"in pieces": func(w http.ResponseWriter, _ *http.Request) {
			events(w, `{"choices":[{"delta":{"content":"<th"}}]}`, `{"choices":[{"delta":{"content":"ink>\nNine?</think>"}}]}`,
				`{"choices":[{"delta":{"content":"\n\nAt "}}]}`, `{"choices":[{"delta":{"content":"nine."},"finish_reason":"stop"}]}`, `[DONE]`)
		},
		"whole": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"choices":[{"message":{"content":"<think>Nine?</think>\nAt nine."}}]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := overHTTP(t, handler)
			var heard strings.Builder
			m, err := e.Model().Complete(t.Context(), everything, func(s string) { heard.WriteString(s) })
			if err != nil || m.Content != "At nine." || heard.String() != "At nine." {
				t.Errorf("got %q, heard %q, %v", m.Content, heard.String(), err)
			}
		})
	}
}

// TestWhatFailedUnheardIsAskedAgain checks that an answer that broke off, between two pieces or
// within one, or failed is requested again as long as nobody has heard any of it because the model
// was still thinking.
func TestWhatFailedUnheardIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, first := range [][]string{
		{`{"choices":[{"delta":{"content":"<think>Nine"}}]}`},
		{`{"choices":[{"delta":{"content":"<think>Nine"}}]}`, cutOff},
		{`{"choices":[{"delta":{"content":"<think>Nine"}}]}`, `{"error":{"code":502,"message":"the provider failed"}}`},
	} {
		n := 0
		e, pauses := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
			if n++; n == 1 {
				events(w, slices.DeleteFunc(slices.Clone(first), func(line string) bool { return line == cutOff })...)
				if slices.Contains(first, cutOff) {
					fmt.Fprint(w, "data: "+cutOff)
				}
				return
			}
			events(w, `{"choices":[{"delta":{"content":"At nine."},"finish_reason":"stop"}]}`, `[DONE]`)
		})
		var heard strings.Builder
		m, err := e.Model().Complete(t.Context(), everything, func(s string) { heard.WriteString(s) })
		if err != nil || m.Content != "At nine." || heard.String() != "At nine." || !slices.Equal(*pauses, []time.Duration{500 * time.Millisecond}) {
			t.Errorf("after %q: got %q, heard %q, %v, waited %v", first, m.Content, heard.String(), err, *pauses)
		}
	}
}

// cutOff is the beginning of a piece that does not end.
const cutOff = `{"choices":[{"delta":{"cont`

// TestAnAnswerThatIsAllThought checks that an answer consisting only of thoughts is requested again
// with room for both, and that the next question has that room from the start.
func TestAnAnswerThatIsAllThought(t *testing.T) {
	t.Parallel()
	for _, room := range []bool{true, false} {
		var bounds []float64
		e, _ := overHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				Most  float64 `json:"max_tokens"`
				Newer float64 `json:"max_completion_tokens"`
			}
			_ = json.NewDecoder(r.Body).Decode(&q)
			bounds = append(bounds, max(q.Most, q.Newer))
			if q.Newer == 0 || !room {
				events(w, `{"choices":[{"delta":{"content":"<think>When? Monday"},"finish_reason":null}]}`, `{"choices":[{"delta":{},"finish_reason":"length"}]}`, `[DONE]`)
				return
			}
			events(w, `{"choices":[{"delta":{"content":"<think>When?</think>Monday."},"finish_reason":"stop"}]}`, `[DONE]`)
		})
		for range 2 {
			m, err := e.Model().Complete(t.Context(), everything, nil)
			if room && (err != nil || m.Content != "Monday.") || !room && !problem.Is(err, problem.Unavailable) {
				t.Errorf("with room %v: got %+v, %v", room, m, err)
			}
		}
		want := []float64{200, 200 + thinkingTokens, 200 + thinkingTokens}
		if !room {
			want = []float64{200, 200 + thinkingTokens, 200, 200 + thinkingTokens}
		}
		if !slices.Equal(bounds, want) {
			t.Errorf("with room %v: asked for at most %v tokens, want %v", room, bounds, want)
		}
	}
}

// TestCutAnswersSaySo checks that an answer that ended at its limit or by a filter can be told from a complete one.
func TestCutAnswersSaySo(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]bool{"stop": false, "tool_calls": false, "length": true, "content_filter": true} {
		for _, form := range []string{"delta", "message"} {
			e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
				events(w, `{"choices":[{"`+form+`":{"content":"At"},"finish_reason":"`+why+`"}]}`, `[DONE]`)
			})
			if m, err := e.Model().Complete(t.Context(), everything, nil); err != nil || m.Cut != want || m.Content != "At" {
				t.Errorf("%s in a %s: got %+v, %v", why, form, m, err)
			}
		}
	}
}

// TestToolCallsWithoutIdentifiers checks that each tool call without an id gets one of its own, by
// which its result is identified.
func TestToolCallsWithoutIdentifiers(t *testing.T) {
	t.Parallel()
	e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		events(w, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"wait","arguments":"{}"}},{"index":1,"function":{"name":"hang_up","arguments":"{}"}}]},"finish_reason":"stop"}]}`)
	})
	m, err := e.Model().Complete(t.Context(), everything, nil)
	if err != nil || len(m.ToolCalls) != 2 || len(m.ToolCalls[0].ID) != 9 || m.ToolCalls[0].ID == m.ToolCalls[1].ID {
		t.Errorf("got %+v, %v", m.ToolCalls, err)
	}
}
