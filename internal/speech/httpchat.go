package speech

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Limits of a streamed answer.
const (
	maxStream    = 4 << 20
	maxEventLine = 256 << 10
	maxToolCalls = 32
)

// thinkingTokens is the allowance for a model that reasons before it answers. It is needed
// where the limit of the answer is sent under its newer name, which covers both.
const thinkingTokens = 4000

// httpModel implements chat.Model with POST /chat/completions.
type httpModel struct {
	end    *endpoint
	model  string
	wishes wishes
}

func newHTTPModel(e *endpoint, model string) *httpModel {
	return &httpModel{end: e, model: model, wishes: wishes{names: []string{
		"temperature", "seed", "stream", "stream_options", "max_tokens", "max_completion_tokens", "response_format",
	}}}
}

// Name implements chat.Model.
func (m *httpModel) Name() string { return m.model + " at " + m.end.name }

// Complete implements chat.Model. It does not retry once text has been passed to onText.
func (m *httpModel) Complete(ctx context.Context, r chat.Request, onText func(string)) (out chat.Message, err error) {
	err = m.wishes.ask(
		func(refused map[string]bool) map[string]any { return requestOf(m.model, r, refused) },
		func(wanted map[string]any) (err error) {
			out, err = m.once(ctx, wanted, wordsOf(r.Messages), onText)
			return err
		},
	)
	return out, err
}

func (m *httpModel) once(ctx context.Context, wanted map[string]any, words []string, onText func(string)) (out chat.Message, err error) {
	body, err := json.Marshal(wanted)
	if err != nil {
		return chat.Message{}, fmt.Errorf("write the request: %w", err)
	}
	q := question{path: "/chat/completions", contentType: "application/json", body: body, words: words}
	err = m.end.do(ctx, q, func(answer io.Reader) error {
		s := &stream{end: m.end, asked: words, onText: onText, message: chat.Message{Role: chat.Assistant}}
		err := s.read(answer)
		m.end.prompt.Add(credible(s.cost.Prompt))
		m.end.answered.Add(credible(s.cost.Completion))
		if out = s.result(); err == nil && s.cut && out.Content == "" && len(out.ToolCalls) == 0 {
			return errOnlyThought()
		}
		return err
	})
	return out, err
}

// wordsOf returns the contents of the messages.
func wordsOf(messages []chat.Message) []string {
	words := make([]string, len(messages))
	for i, m := range messages {
		words[i] = m.Content
	}
	return words
}

// errOnlyThought returns the error for an answer that reached its limit while reasoning. It is
// a refusal of max_tokens, so that the request is repeated with the limit under its newer name,
// which leaves room for reasoning.
func errOnlyThought() error {
	p := problem.New(problem.Unavailable, "the language model used all its tokens for thinking and gave no answer").
		WithHint("For a caller on the telephone, choose a model that thinks less or not at all.")
	return &refusal{err: p, field: "max_tokens"}
}

// requestOf returns the JSON body of a request without the refused fields.
func requestOf(model string, r chat.Request, refused map[string]bool) map[string]any {
	q := map[string]any{"model": model, "messages": r.Messages, "temperature": r.Temperature, "stream": true}
	if !refused["stream"] {
		q["stream_options"] = map[string]any{"include_usage": true}
	}
	if r.Seed != 0 {
		q["seed"] = r.Seed
	}
	if r.MaxTokens > 0 {
		q["max_tokens"] = r.MaxTokens
		if refused["max_tokens"] {
			q["max_completion_tokens"] = r.MaxTokens + thinkingTokens
		}
	}
	if r.JSON {
		q["response_format"] = map[string]string{"type": "json_object"}
	}
	if tools := toolsOf(r); len(tools) > 0 {
		q["tools"] = tools
	}
	maps.DeleteFunc(q, func(name string, _ any) bool { return refused[name] })
	return q
}

func toolsOf(r chat.Request) []any {
	tools := make([]any, 0, len(r.Tools))
	for _, t := range r.Tools {
		f := map[string]any{"name": t.Name, "description": t.Description}
		if len(t.Parameters) > 0 {
			f["parameters"] = t.Parameters
		}
		tools = append(tools, map[string]any{"type": "function", "function": f})
	}
	return tools
}

// delta is one piece of a streamed answer.
type delta struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		// Message is set if the server answers in one piece although asked to stream.
		Message      *chat.Message `json:"message"`
		FinishReason *string       `json:"finish_reason"`
	} `json:"choices"`
	Usage *tokens `json:"usage"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// tokens counts the tokens of an answer so far.
type tokens struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
}

// credible returns n, or 0 if no answer can have used that many tokens: such a figure would
// make the total useless.
func credible(n int64) int64 {
	const most = 1 << 30
	if n < 0 || n > most {
		return 0
	}
	return n
}

// stream assembles the pieces of an answer.
type stream struct {
	end      *endpoint
	asked    []string // the words of the request
	onText   func(string)
	message  chat.Message
	text     strings.Builder
	thoughts thoughts
	slots    map[int]int // from index of a tool call to its position in the message
	started  bool
	finished bool
	cut      bool // the answer has reached its limit
	cost     tokens
}

func (s *stream) read(r io.Reader) error {
	limited := &io.LimitedReader{R: r, N: maxStream}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 0, 4096), maxEventLine)
	var whole strings.Builder
	var unread error
	for lines.Scan() {
		if unread != nil {
			return unread
		}
		line := lines.Text()
		data, ok := strings.CutPrefix(line, "data:")
		if !ok {
			if strings.HasPrefix(strings.TrimSpace(line), "{") || whole.Len() > 0 {
				whole.WriteString(line)
			}
			continue
		}
		data = strings.TrimSpace(data)
		if data == "[DONE]" {
			return s.ended(true)
		}
		if err := s.take(data); errors.Is(err, errUnreadable) {
			unread = err // unless nothing follows: then it was cut off
		} else if err != nil {
			return err
		}
	}
	if limited.N <= 0 || errors.Is(lines.Err(), bufio.ErrTooLong) {
		return problem.New(problem.Unavailable, "the language model's answer is too large")
	}
	return s.over(lines.Err(), whole.String())
}

// over finishes the answer when no more pieces come. why is the read error, if any; whole is an
// answer sent in one piece.
func (s *stream) over(why error, whole string) error {
	if why != nil && !s.finished {
		return s.again(problem.New(problem.Unavailable, "the language model's answer was cut off").Because(why))
	}
	if err := s.take(whole); err != nil {
		return err
	}
	return s.ended(false)
}

// ended checks that the answer is complete. One that says so needs no finish reason, but must hold something.
func (s *stream) ended(saysSo bool) error {
	if s.finished || saysSo && (s.text.Len() > 0 || len(s.message.ToolCalls) > 0) {
		s.say(s.thoughts.rest())
		return nil
	}
	return s.again(problem.New(problem.Unavailable, "the language model's answer was cut off"))
}

// again makes err retryable as long as no text has been passed on.
func (s *stream) again(err error) error {
	if s.started {
		return err
	}
	return &errAgain{err: err}
}

// errUnreadable marks a piece that cannot be parsed.
var errUnreadable = errors.New("no piece of an answer")

func (s *stream) take(data string) error {
	if data == "" {
		return nil
	}
	var d delta
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		return problem.New(problem.Unavailable, "the language model's answer cannot be read").Because(fmt.Errorf("%w: %w", errUnreadable, err))
	}
	if d.Error != nil {
		return s.again(problem.New(problem.Unavailable, "the language model failed").Because(errors.New(s.end.clean(d.Error.Message, append(s.asked, s.text.String())))))
	}
	if d.Usage != nil {
		s.cost = *d.Usage // some servers send running totals with every piece
	}
	if len(d.Choices) == 0 {
		return nil
	}
	c := d.Choices[0]
	if c.Message != nil {
		if s.message.ToolCalls = c.Message.ToolCalls; len(s.message.ToolCalls) > maxToolCalls {
			return errTools()
		}
		s.say(s.thoughts.without(c.Message.Content))
		s.finished = true
	}
	s.say(s.thoughts.without(c.Delta.Content))
	for _, t := range c.Delta.ToolCalls {
		if err := s.tool(t.Index, t.ID, t.Function.Name, t.Function.Arguments); err != nil {
			return err
		}
	}
	if c.FinishReason != nil && *c.FinishReason != "" {
		s.finished, s.cut = true, *c.FinishReason == "length"
		s.message.Cut = s.cut || *c.FinishReason == "content_filter"
	}
	return nil
}

func (s *stream) say(text string) {
	if text == "" {
		return
	}
	s.text.WriteString(text)
	if s.onText != nil {
		s.started = true
		s.onText(text)
	}
}

// tool adds a piece of the tool call at index. Some servers send the same index for all calls
// of an answer: a different id together with a name starts another call.
func (s *stream) tool(index int, id, name, arguments string) error {
	at, known := s.slots[index]
	if !known || id != "" && name != "" && id != s.message.ToolCalls[at].ID {
		if at = len(s.message.ToolCalls); at >= maxToolCalls {
			return errTools()
		}
		s.message.ToolCalls = append(s.message.ToolCalls, chat.ToolCall{Type: "function"})
		if s.slots == nil {
			s.slots = make(map[int]int)
		}
		s.slots[index] = at
	}
	t := &s.message.ToolCalls[at]
	if id != "" {
		t.ID = id
	}
	t.Function.Name += name
	t.Function.Arguments += arguments
	return nil
}

func errTools() error {
	return problem.New(problem.Unavailable, "the language model's tool calls cannot be read")
}

func (s *stream) result() chat.Message {
	s.message.Content = s.text.String()
	for i := range s.message.ToolCalls {
		if t := &s.message.ToolCalls[i]; t.ID == "" {
			t.ID = rand.Text()[:9] // some servers require an id later, although they sent none
		}
	}
	return s.message
}
