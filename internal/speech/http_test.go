package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const testKey = "sk-very-secret-key"

// overHTTP returns engines that use a server with the given handler; pauses are recorded instead of
// waited for.
func overHTTP(t *testing.T, h http.HandlerFunc) (*Engines, *[]time.Duration) {
	t.Helper()
	// A server only notices that the client has gone once the request has been read.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}))
	t.Cleanup(server.Close)
	var pauses []time.Duration
	e, err := New(Options{TTS: OpenAI, STT: OpenAI, HTTP: HTTPOptions{
		BaseURL: server.URL + "/v1", Key: testKey, TTSModel: "tts-1", STTModel: "whisper-1", ChatModel: "gpt-x",
		Timeout: 2 * time.Second, Tries: 3,
		Wait:   func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil },
		Jitter: func() float64 { return 0.5 },
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e, &pauses
}

func events(w io.Writer, lines ...string) {
	for _, l := range lines {
		fmt.Fprintf(w, "data: %s\n\n", l)
	}
}

// TestTheNameOfAModelHoldsNoSecret checks that the endpoint's secrets are not in the name: it
// appears in scores and reports, which more people see than may know them.
func TestTheNameOfAModelHoldsNoSecret(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://api.example.com/v1":                      "gpt-x at https://api.example.com/v1",
		"http://10.0.0.7:8000/v1/":                        "gpt-x at http://10.0.0.7:8000/v1",
		"https://ann:secret@api.example.com/v1?token=abc": "gpt-x at https://api.example.com/v1",
	} {
		e, err := New(Options{HTTP: HTTPOptions{BaseURL: address, ChatModel: "gpt-x"}})
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		if got := e.Model().Name(); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

func TestModelStreamsTextAndTools(t *testing.T) {
	t.Parallel()
	e, _ := overHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("asked %s with %q, want the chat with the key", r.URL.Path, r.Header.Get("Authorization"))
		}
		var q map[string]any
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		if q["model"] != "gpt-x" || q["stream"] != true || len(q["tools"].([]any)) != 1 || q["response_format"] == nil || q["seed"] != 7.0 {
			t.Errorf("asked %v, want a stream of gpt-x as JSON, with the tool and the seed 7", q)
		}
		events(w, `{"choices":[{"delta":{"content":"Good "}}],"usage":{"prompt_tokens":11,"completion_tokens":2}}`, `{"choices":[{"delta":{"content":"day"}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"hang_up","arguments":"{\"a\""}}]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":5}}`, `[DONE]`)
	})
	var pieces []string
	m, err := e.Model().Complete(t.Context(), chat.Request{
		Messages: []chat.Message{{Role: chat.User, Content: "Hello"}}, JSON: true, Seed: 7,
		Tools: []chat.Tool{{Name: "hang_up", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}, func(s string) { pieces = append(pieces, s) })
	if err != nil {
		t.Fatal(err)
	}
	if m.Content != "Good day" || strings.Join(pieces, "|") != "Good |day" {
		t.Errorf("got %q in pieces %q, want Good day in two", m.Content, pieces)
	}
	if len(m.ToolCalls) != 1 || m.ToolCalls[0].Function.Arguments != `{"a":1}` || m.ToolCalls[0].ID != "t1" {
		t.Errorf("got tool calls %+v, want t1 with {\"a\":1}", m.ToolCalls)
	}
	if u, _ := e.Usage(); u.PromptTokens != 11 || u.AnswerTokens != 5 || u.Requests != 1 {
		t.Errorf("counted %+v, want 11 and 5 tokens of one request", u)
	}
}

// TestAnswersBehindAByteOrderMark checks that a byte order mark before an answer is ignored.
func TestAnswersBehindAByteOrderMark(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"in pieces": `data: {"choices":[{"delta":{"content":"Good "}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"day"},"finish_reason":"stop"}]}` + "\n\n",
		"whole":     `{"choices":[{"message":{"content":"Good day"}}]}`,
	} {
		e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\ufeff"+answer) })
		if m, err := e.Model().Complete(t.Context(), chat.Request{}, nil); err != nil || m.Content != "Good day" {
			t.Errorf("%s: got %q, %v, want Good day", name, m.Content, err)
		}
	}
}

// TestAnAnswerIsWholeThatSaysSo checks that an answer is complete if it says so, even if it ends
// unusually: without a reason, or with one but followed by a broken connection.
func TestAnAnswerIsWholeThatSaysSo(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"no reason": func(w http.ResponseWriter, _ *http.Request) {
			events(w, `{"choices":[{"delta":{"content":"Good day"}}]}`, `[DONE]`)
		},
		"no end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			events(w, `{"choices":[{"delta":{"content":"Good day"},"finish_reason":"stop"}]}`)
		},
	} {
		e, pauses := overHTTP(t, handler)
		m, err := e.Model().Complete(t.Context(), chat.Request{}, func(string) {})
		if err != nil || m.Content != "Good day" || len(*pauses) > 0 {
			t.Errorf("%s: got %+v, %v after %v, want Good day at once", name, m, err, *pauses)
		}
		if u, _ := e.Usage(); u.Requests != 1 || u.Failed != 0 {
			t.Errorf("%s: counted %+v, want one request and no failure", name, u)
		}
	}
}

// TestAbsurdTokensAreNotCounted checks that absurd token counts are ignored in the sums.
func TestAbsurdTokensAreNotCounted(t *testing.T) {
	t.Parallel()
	costs := []string{`{"prompt_tokens":7,"completion_tokens":3}`, `{"prompt_tokens":9223372036854775807,"completion_tokens":-5}`, `{"prompt_tokens":4,"completion_tokens":1}`}
	e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		events(w, `{"choices":[{"delta":{"content":"Good day"},"finish_reason":"stop"}],"usage":`+costs[0]+`}`, `[DONE]`)
		costs = costs[1:]
	})
	for range 3 {
		if _, err := e.Model().Complete(t.Context(), chat.Request{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if u, _ := e.Usage(); u.PromptTokens != 11 || u.AnswerTokens != 4 {
		t.Errorf("counted %+v, want 11 and 4 tokens", u)
	}
}

func TestEndpointsAreAskedAgain(t *testing.T) {
	t.Parallel()
	n := 0
	e, pauses := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		switch n {
		case 1:
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.WriteHeader(http.StatusBadGateway)
		default:
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"in one piece"}}]}`)
		}
	})
	m, err := e.Model().Complete(t.Context(), chat.Request{}, nil)
	if err != nil || m.Content != "in one piece" {
		t.Fatalf("got %+v, %v, want the third answer", m, err)
	}
	if len(*pauses) != 2 || (*pauses)[0] != 3250*time.Millisecond || (*pauses)[1] != time.Second {
		t.Errorf("paused %v, want 3s as asked and a little, and then 1s", *pauses)
	}
	if u, _ := e.Usage(); u.Requests != 3 || u.Failed != 2 {
		t.Errorf("counted %+v, want 3 requests and 2 failures", u)
	}
}

// TestEndpointsSayWhenToAskAgain checks all the ways of asking for a pause, which is never longer
// than half a minute.
func TestEndpointsSayWhenToAskAgain(t *testing.T) {
	t.Parallel()
	const date = "Mon, 02 Jan 2006 15:04:05 GMT"
	for after, want := range map[string]time.Duration{
		"3": 3 * time.Second, "0.5": time.Second / 2, "99999999999999999999": maxBackoff, "+Inf": maxBackoff,
		"Mon, 02 Jan 2006 15:04:12 GMT": 7 * time.Second, "Tue, 03 Jan 2006 15:04:05 GMT": maxBackoff, "Mon, 02 Jan 2006 15:04:01 GMT": 0,
		"": 0, "soon": 0, "-1": 0, "NaN": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {after}, "Date": {date}}); got != want {
			t.Errorf("%q is %s, want %s", after, got, want)
		}
	}
}

// TestHostileEndpoints checks that every bad answer leads to an error of ours, in time, that never
// shows the key.
func TestHostileEndpoints(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		handler http.HandlerFunc
		code    problem.Code
	}{
		"huge":       {func(w http.ResponseWriter, _ *http.Request) { events(w, strings.Repeat("x", maxEventLine+10)) }, problem.Unavailable},
		"endless":    {endless, problem.Unavailable},
		"garbage":    {func(w http.ResponseWriter, _ *http.Request) { events(w, "{{{") }, problem.Unavailable},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) { events(w, `{"choices":[{"delta":{"content":"Goo"}}]}`) }, problem.Unavailable},
		"empty":      {func(http.ResponseWriter, *http.Request) {}, problem.Unavailable},
		"no": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "key "+testKey+" is bad", http.StatusUnauthorized)
		}, problem.Unavailable},
		"busy": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, problem.RateLimited},
		"tool calls": {func(w http.ResponseWriter, _ *http.Request) {
			for i := range maxToolCalls + 1 {
				events(w, fmt.Sprintf(`{"choices":[{"delta":{"tool_calls":[{"index":%d}]},"finish_reason":"stop"}]}`, i*99999999))
			}
		}, problem.Unavailable},
		"tool calls, whole": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"choices":[{"message":{"tool_calls":[%s{}]}}]}`, strings.Repeat("{},", maxToolCalls))
		}, problem.Unavailable},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, problem.Unavailable},
		"hang": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, problem.Unavailable},
		"hangs in its answer": {func(w http.ResponseWriter, r *http.Request) {
			events(w, `{"choices":[{"delta":{"role":"assistant"}}]}`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, problem.Unavailable},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, _ := overHTTP(t, test.handler)
			e.http.timeout = 300 * time.Millisecond
			_, err := e.Model().Complete(t.Context(), chat.Request{}, func(string) {})
			if !problem.Is(err, test.code) {
				t.Errorf("got %v, want %s", err, test.code)
			}
			if err != nil && strings.Contains(err.Error(), testKey) {
				t.Errorf("the error shows the key: %v", err)
			}
			u, _ := e.Usage()
			if u.Failed == 0 || u.Failed != u.Requests {
				t.Errorf("counted %+v, want failures alone", u)
			}
			if silent := name == "hang" || name == "hangs in its answer"; silent && u.Requests != 1 {
				t.Errorf("one that is silent was asked %d times, want once", u.Requests)
			}
		})
	}
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\""+strings.Repeat("y", 4000)+"\"}}]}\n\n"); err != nil {
			return
		}
	}
}

func TestMouthAndEarsOverHTTP(t *testing.T) {
	t.Parallel()
	e, _ := overHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/audio/speech") {
			var q map[string]any
			_ = json.NewDecoder(r.Body).Decode(&q)
			if q["voice"] != "nova" || q["input"] != "Hello there." || q["speed"] != 1.5 {
				t.Errorf("asked %v, want Hello there. of nova at 1.5", q)
			}
			var b bytes.Buffer
			_ = audio.WriteWAV(&b, 24000, audio.Tone(440, 8000, time.Second, 24000))
			data := b.Bytes()
			copy(data[40:44], []byte{0xff, 0xff, 0xff, 0xff}) // written before the length was known
			_, _ = w.Write(data)
			return
		}
		file, _, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		wav, err := audio.ReadWAV(file, 1<<20)
		if err != nil || wav.Rate != 8000 || r.FormValue("model") != "whisper-1" || r.FormValue("language") != "en" {
			t.Errorf("got %d Hz, %v, %v, want 8000 Hz for whisper-1 in en", wav.Rate, r.Form, err)
		}
		fmt.Fprint(w, `{"text":" Hello there. ","words":[{"word":"Hello","start":0.1,"end":0.4},{"word":"there","start":0.5,"end":0.9}]}`)
	})
	clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: "nova", Pace: 1.5}, "en-US", "Hello there.")
	if err != nil || clip.Rate != 24000 || clip.Duration() != time.Second {
		t.Errorf("got %d Hz, %s, %v, want 24000 Hz, 1s", clip.Rate, clip.Duration(), err)
	}
	if _, err := e.Mouth().Say(t.Context(), scenario.Persona{Pitch: 1.2}, "", "x"); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("a pitch gave %v, want %s", err, problem.InvalidFields)
	}
	got, err := e.Transcriber().Transcribe(t.Context(), review.Speech{
		PCM: make([]int16, 16000), Rate: 8000, Language: "en-US", Segments: []call.Segment{{Start: time.Second, End: 2 * time.Second}},
	})
	if err != nil || got[0].Text != "Hello there." || len(got[0].Words) != 2 || got[0].Words[0].Start != 950*time.Millisecond {
		t.Errorf("got %+v, %v, want two words, the first at 950ms", got, err)
	}
	if u, _ := e.Usage(); u.SpokenCharacters != 12 || u.HeardSeconds < 1 {
		t.Errorf("counted %+v, want 12 characters and at least a second", u)
	}
}

// TestEarsSendWhatWasSpoken checks that what is sent contains the end of the speech and little
// silence, both after a long silence and if the speaker never pauses.
func TestEarsSendWhatWasSpoken(t *testing.T) {
	t.Parallel()
	const rate, hz = 8000, 800
	for _, c := range []struct {
		name           string
		silent, spoken time.Duration
		least, most    time.Duration
	}{
		{"a turn", 8 * time.Second, 3 * time.Second, 3 * time.Second, 3500 * time.Millisecond},
		{"after minutes on hold", 5 * time.Minute, 3 * time.Second, 3 * time.Second, 3500 * time.Millisecond},
		{"one who does not stop", time.Second, 150 * time.Second, earsSpan, 2 * earsSpan},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sent audio.WAV
			e, _ := overHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				file, _, err := r.FormFile("file")
				if err == nil {
					sent, err = audio.ReadWAV(file, 1<<24)
				}
				if err != nil {
					t.Error(err)
				}
				fmt.Fprint(w, `{"text":"Monday at nine."}`)
			})
			ears, err := e.NewEars(t.Context(), EarsOptions{Rate: rate})
			if err != nil {
				t.Fatal(err)
			}
			defer ears.Close()
			heard := slices.Concat(audio.Silence(c.silent, rate), audio.Tone(hz, 8000, c.spoken, rate), audio.Silence(700*time.Millisecond, rate))
			for frame := range slices.Chunk(heard, rate/50) {
				ears.Hear(frame)
			}
			var box leg.Mailbox[leg.Words]
			ears.Words(box.Expect(0))
			if err := box.Await(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			if words, _, ok := box.Take(0); !ok || words.Err != nil || words.Text != "Monday at nine." {
				t.Errorf("understood %+v, %v, want Monday at nine.", words, ok)
			}
			if len(sent.Channels) == 0 {
				t.Fatal("nothing was sent")
			}
			pcm := sent.Channels[0]
			if d := durationOf(len(pcm), rate); d < c.least || d > c.most {
				t.Errorf("%s were sent, want %s to %s", d, c.least, c.most)
			}
			if end := pcm[max(0, len(pcm)-2*rate):]; audio.Goertzel(end, rate, hz) < 2000 {
				t.Error("the end of what was spoken is missing")
			}
		})
	}
}

// TestWordsAreTheText checks that words with times are dropped if they are not those of the text,
// or not within its sound: only the text says what was said.
func TestWordsAreTheText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words string
		want  int
	}{
		"those of the text":     {`[{"word":"nine","start":0,"end":0.2},{"word":"to","start":0.2,"end":0.3},{"word":"five","start":0.3,"end":0.6}]`, 3},
		"with stops and blanks": {`[{"word":" Nine-to","start":0,"end":0.3},{"word":" five.","start":0.3,"end":0.6}]`, 2},
		"a bit too long":        {`[{"word":"nine","start":0,"end":0.2},{"word":"to five","start":0.9,"end":1.8}]`, 2},
		"another name for them": {`[{"text":"nine","start":0,"end":0.2},{"text":"to","start":0.2,"end":0.3},{"text":"five","start":0.3,"end":0.6}]`, 0},
		"nothing in them":       {`[null,{"word":null,"start":null,"end":null}]`, 0},
		"one is missing":        {`[{"word":"nine","start":0,"end":0.2},{"word":"five","start":0.3,"end":0.6}]`, 0},
		"one has no place":      {`[{"word":"nine","start":0,"end":0.2},{"word":"to","start":-1,"end":0.3},{"word":"five","start":0.3,"end":0.6}]`, 0},
		"times in quotes":       {`[{"word":"nine","start":"0","end":"0.2"},{"word":"to","start":"0.2","end":"0.3"},{"word":"five","start":"0.3","end":"0.5"}]`, 0},
		"one without a place":   {`[{"word":"nine","start":0.1,"end":0.2},{"word":"to"},{"word":"five","start":0.3,"end":0.5}]`, 0},
		"words alone":           {`["nine","to","five"]`, 0},
		"no list":               {`{"nine":1}`, 0},
		"far beyond the sound":  {`[{"word":"nine","start":0,"end":0.2},{"word":"to","start":0.2,"end":0.3},{"word":"five","start":5000,"end":5001}]`, 0},
	} {
		got, err := parseTranscription([]byte(`{"text":"Nine to five.","words":`+c.words+`}`), time.Second)
		if err != nil || got.Text != "Nine to five." || len(got.Words) != c.want {
			t.Errorf("%s: got %+v, %v, want %d words", name, got, err, c.want)
		}
		for _, w := range got.Words {
			if w.End > time.Second {
				t.Errorf("%s: %q ends at %s, after the sound", name, w.Text, w.End)
			}
		}
	}
}

func FuzzTranscription(f *testing.F) {
	for _, s := range []string{
		`{"text":"hi","words":[{"word":"hi","start":0.1,"end":0.2}]}`, `{"words":[]}`, `{"text":null}`,
		`{"text":"a","words":[{"start":1e308,"end":-1}]}`, `[]`, ``,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseTranscription([]byte(s), time.Minute)
		if err != nil && problem.As(err) == nil {
			t.Errorf("%q gave %v", s, err)
		}
		for _, w := range got.Words {
			if w.Start < 0 || w.End < w.Start {
				t.Errorf("%q gave %+v", s, w)
			}
		}
	})
}

// TestHalfALineIsAskedForAgain checks that a truncated line is requested again: a connection that
// just ends does not reveal it, but the header of the audio does.
func TestHalfALineIsAskedForAgain(t *testing.T) {
	t.Parallel()
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, 24000, audio.Tone(440, 8000, time.Second, 24000)); err != nil {
		t.Fatal(err)
	}
	most := wav.Len() / 2
	e, pauses := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(wav.Bytes()[:most])
		most = wav.Len()
	})
	clip, err := e.Mouth().Say(t.Context(), scenario.Persona{}, "en", "Hello.")
	if err != nil || clip.Duration() != time.Second || len(*pauses) != 1 {
		t.Errorf("got %s, %v after %v, want 1s after one pause", clip.Duration(), err, *pauses)
	}
}

// TestSpeechInAnyForm checks that audio is accepted in a form other than the requested one.
func TestSpeechInAnyForm(t *testing.T) {
	t.Parallel()
	tone := audio.Tone(440, 8000, time.Second, 24000)
	var wav bytes.Buffer
	mp3, err := os.ReadFile("../audio/mp3/testdata/stereo24000.mp3")
	if err = errors.Join(err, audio.WriteWAV(&wav, 24000, tone)); err != nil {
		t.Fatal(err)
	}
	endless := bytes.Clone(wav.Bytes()) // the header was written before the length was known
	copy(endless[4:8], []byte{0xff, 0xff, 0xff, 0xff})
	copy(endless[40:44], []byte{0xff, 0xff, 0xff, 0xff})
	for name, c := range map[string]struct {
		answer []byte
		ok     bool
	}{
		"WAV": {wav.Bytes(), true}, "WAV as it was made": {endless, true}, "MP3": {mp3, true},
		"half a WAV": {wav.Bytes()[:wav.Len()/2], false},
		"a web page": {[]byte("<html>not here</html>"), false}, "nothing": {nil, false}, "a head alone": {wav.Bytes()[:44], false},
	} {
		e, _ := overHTTP(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(c.answer) })
		clip, err := e.Mouth().Say(t.Context(), scenario.Persona{}, "en", "Hello.")
		switch {
		case !c.ok && !problem.Is(err, problem.Unavailable):
			t.Errorf("%s: got %v, want %s", name, err, problem.Unavailable)
		case c.ok && (err != nil || clip.Rate != 24000 || len(clip.PCM) == 0 || name != "MP3" && !slices.Equal(clip.PCM, tone)):
			t.Errorf("%s: got %d samples at %d Hz, %v, want the tone at 24000", name, len(clip.PCM), clip.Rate, err)
		}
	}
}
