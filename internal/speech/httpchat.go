package speech

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The bounds of a streamed answer.
const (
	maxStream    = 4 << 20
	maxEventLine = 256 << 10
	maxToolCalls = 32
)

// httpModel is chat.Model over POST /chat/completions.
type httpModel struct {
	end   *endpoint
	model string
}

// Name implements chat.Model.
func (m *httpModel) Name() string { return m.model + " at " + m.end.base }

// Complete implements chat.Model. Nothing is tried again once text has been handed to onText.
func (m *httpModel) Complete(ctx context.Context, r chat.Request, onText func(string)) (chat.Message, error) {
	body, err := json.Marshal(requestOf(m.model, r))
	if err != nil {
		return chat.Message{}, fmt.Errorf("write the request: %w", err)
	}
	var out chat.Message
	err = m.end.do(ctx, "/chat/completions", "application/json", body, func(answer io.Reader) error {
		s := &stream{end: m.end, onText: onText, message: chat.Message{Role: chat.Assistant}}
		err := s.read(answer)
		out = s.result()
		return err
	})
	return out, err
}

func requestOf(model string, r chat.Request) map[string]any {
	q := map[string]any{
		"model": model, "messages": r.Messages, "temperature": r.Temperature,
		"stream": true, "stream_options": map[string]any{"include_usage": true},
	}
	if r.Seed != 0 {
		q["seed"] = r.Seed
	}
	if r.MaxTokens > 0 {
		q["max_tokens"] = r.MaxTokens
	}
	if r.JSON {
		q["response_format"] = map[string]string{"type": "json_object"}
	}
	tools := make([]any, 0, len(r.Tools))
	for _, t := range r.Tools {
		f := map[string]any{"name": t.Name, "description": t.Description}
		if len(t.Parameters) > 0 {
			f["parameters"] = t.Parameters
		}
		tools = append(tools, map[string]any{"type": "function", "function": f})
	}
	if len(tools) > 0 {
		q["tools"] = tools
	}
	return q
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
		// Message is there when the server answers in one piece though asked to stream.
		Message      *chat.Message `json:"message"`
		FinishReason *string       `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	} `json:"usage"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// stream puts the pieces of an answer together.
type stream struct {
	end      *endpoint
	onText   func(string)
	message  chat.Message
	text     strings.Builder
	started  bool
	finished bool
}

func (s *stream) read(r io.Reader) error {
	limited := &io.LimitedReader{R: r, N: maxStream}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 0, 4096), maxEventLine)
	var whole strings.Builder
	for lines.Scan() {
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
			return s.ended()
		}
		if err := s.take(data); err != nil {
			return err
		}
	}
	if limited.N <= 0 || errors.Is(lines.Err(), bufio.ErrTooLong) {
		return problem.New(problem.Unavailable, "the language model's answer is too large")
	}
	if err := lines.Err(); err != nil {
		return s.again(problem.New(problem.Unavailable, "the language model's answer broke off").Because(err))
	}
	if whole.Len() > 0 {
		if err := s.take(whole.String()); err != nil {
			return err
		}
	}
	return s.ended()
}

// ended tells whether the answer is whole.
func (s *stream) ended() error {
	if s.finished {
		return nil
	}
	return s.again(problem.New(problem.Unavailable, "the language model's answer broke off"))
}

// again allows another try as long as nobody has heard anything of this one.
func (s *stream) again(err error) error {
	if s.started {
		return err
	}
	return &errAgain{err: err}
}

func (s *stream) take(data string) error {
	if data == "" {
		return nil
	}
	var d delta
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		return problem.New(problem.Unavailable, "the language model's answer cannot be read").Because(err)
	}
	if d.Error != nil {
		return problem.New(problem.Unavailable, "the language model failed").Because(errors.New(s.end.withoutKey(d.Error.Message)))
	}
	if d.Usage != nil {
		s.end.prompt.Add(max(0, d.Usage.Prompt))
		s.end.answered.Add(max(0, d.Usage.Completion))
	}
	if len(d.Choices) == 0 {
		return nil
	}
	c := d.Choices[0]
	if c.Message != nil {
		s.message.ToolCalls = c.Message.ToolCalls
		s.say(c.Message.Content)
		s.finished = true
	}
	s.say(c.Delta.Content)
	for _, t := range c.Delta.ToolCalls {
		if err := s.tool(t.Index, t.ID, t.Function.Name, t.Function.Arguments); err != nil {
			return err
		}
	}
	if c.FinishReason != nil {
		s.finished = true
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

func (s *stream) tool(index int, id, name, arguments string) error {
	if index < 0 || index >= maxToolCalls || index > len(s.message.ToolCalls) {
		return problem.New(problem.Unavailable, "the language model's tool calls cannot be read")
	}
	if index == len(s.message.ToolCalls) {
		s.message.ToolCalls = append(s.message.ToolCalls, chat.ToolCall{Type: "function"})
	}
	t := &s.message.ToolCalls[index]
	if id != "" {
		t.ID = id
	}
	t.Function.Name += name
	t.Function.Arguments += arguments
	return nil
}

func (s *stream) result() chat.Message {
	s.message.Content = s.text.String()
	return s.message
}
