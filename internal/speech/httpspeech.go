package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/decode"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// maxSpoken is the longest audio accepted for a line.
const maxSpoken = 10 * time.Minute

// httpMouth implements Mouth with POST /audio/speech.
type httpMouth struct {
	end          *endpoint
	model, voice string
}

// Engine implements Mouth.
func (m *httpMouth) Engine() string { return m.model }

// Say implements Mouth. Such endpoints have no setting for pitch, so a pitch other than the
// default is an error.
func (m *httpMouth) Say(ctx context.Context, p scenario.Persona, _, text string) (audio.Clip, error) {
	text, err := cleanLine(text)
	if err != nil {
		return audio.Clip{}, err
	}
	if factor(p.Pitch) != 1 {
		return audio.Clip{}, problem.Invalid(problem.Field{Path: "persona.pitch", Message: "the pitch of HTTP voices cannot be set"})
	}
	voice := p.Voice
	if voice == "" {
		voice = m.voice
	}
	if voice == "" {
		voice = "alloy"
	}
	ask := map[string]any{"model": m.model, "input": text, "voice": voice, "response_format": "wav"}
	if pace := factor(p.Pace); pace != 1 {
		ask["speed"] = pace // not supported by every voice
	}
	if p.Accent != "" {
		ask["instructions"] = "Speak with the accent " + p.Accent + "."
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return audio.Clip{}, fmt.Errorf("write the request: %w", err)
	}
	m.end.spokenChars.Add(int64(len([]rune(text))))
	var clip audio.Clip
	err = m.end.do(ctx, question{path: "/audio/speech", contentType: "application/json", body: body, words: []string{text}}, func(r io.Reader) error {
		data, err := readBounded(r, maxClip)
		if err != nil {
			return err
		}
		clip, err = m.clip(ctx, data)
		return err
	})
	return clip, err
}

// clip decodes the audio of an answer. WAV is requested, but some servers send another format.
func (m *httpMouth) clip(ctx context.Context, data []byte) (audio.Clip, error) {
	sound, err := decode.Decode(ctx, bytes.NewReader(data), decode.Limits{Bytes: maxClip, Length: maxSpoken, Rate: 48000})
	if err != nil {
		return audio.Clip{}, problem.New(problem.Unavailable, "%s returned audio that cannot be read", m.model).
			WithHint("Set the endpoint to answer with WAV, FLAC, MP3 or Ogg Opus.").Because(err)
	}
	switch {
	case sound.Duration() <= 0:
		return audio.Clip{}, problem.New(problem.Unavailable, "%s returned empty audio", m.model)
	case sound.Cut && strings.HasPrefix(sound.Format, "wav/"): // the agent must not be judged by half a line
		return audio.Clip{}, &errAgain{err: problem.New(problem.Unavailable, "%s returned audio that is cut off", m.model)}
	}
	return audio.Clip{PCM: sound.Channels[0], Rate: sound.Rate}, nil
}

// httpTranscriber implements review.Transcriber with POST /audio/transcriptions.
type httpTranscriber struct {
	end    *endpoint
	model  string
	wishes wishes
}

func newHTTPTranscriber(e *endpoint, model string) *httpTranscriber {
	return &httpTranscriber{end: e, model: model, wishes: wishes{names: []string{"response_format", wordTimes, "temperature"}}}
}

// wordTimes is the request field for word timestamps.
const wordTimes = "timestamp_granularities[]"

// Engine implements review.Transcriber.
func (t *httpTranscriber) Engine() (string, bool) { return t.model, false }

// Transcribe implements review.Transcriber with one request per segment.
func (t *httpTranscriber) Transcribe(ctx context.Context, r review.Speech) ([]review.Transcript, error) {
	out := make([]review.Transcript, len(r.Segments))
	for i, seg := range r.Segments {
		from, to := withMargin(seg, r)
		if to == from {
			continue
		}
		var err error
		if out[i], err = t.one(ctx, r, r.PCM[from:to]); err != nil {
			return nil, err
		}
		start := durationOf(from, r.Rate)
		for k := range out[i].Words {
			out[i].Words[k].Start += start
			out[i].Words[k].End += start
		}
	}
	return out, nil
}

func (t *httpTranscriber) one(ctx context.Context, r review.Speech, pcm []int16) (out review.Transcript, err error) {
	t.end.heardMS.Add(durationOf(len(pcm), r.Rate).Milliseconds())
	err = t.wishes.ask(
		func(refused map[string]bool) map[string]any { return transcriptionFields(t.model, r.Language, refused) },
		func(fields map[string]any) error {
			body, contentType, err := transcriptionForm(fields, r.Rate, pcm)
			if err != nil {
				return err
			}
			return t.end.do(ctx, question{path: "/audio/transcriptions", contentType: contentType, body: body}, func(answer io.Reader) error {
				data, err := readBounded(answer, maxAnswer)
				if err != nil {
					return err
				}
				out, err = parseTranscription(data, durationOf(len(pcm), r.Rate))
				return err
			})
		},
	)
	return out, err
}

// transcriptionFields returns the fields of a request without the refused ones. A model that
// can only return text is asked for that.
func transcriptionFields(model, language string, refused map[string]bool) map[string]any {
	fields := map[string]any{"model": model, "response_format": "verbose_json", wordTimes: "word", "temperature": "0"}
	if language, _, _ = strings.Cut(language, "-"); language != "" {
		fields["language"] = strings.ToLower(language)
	}
	maps.DeleteFunc(fields, func(name string, _ any) bool { return refused[name] })
	if refused["response_format"] {
		fields["response_format"] = "json"
		delete(fields, wordTimes)
	}
	return fields
}

func transcriptionForm(fields map[string]any, rate int, pcm []int16) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := form.WriteField(name, fmt.Sprint(fields[name])); err != nil {
			return nil, "", fmt.Errorf("write the form: %w", err)
		}
	}
	file, err := form.CreateFormFile("file", "speech.wav")
	if err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	if err := audio.WriteWAV(file, rate, pcm); err != nil {
		return nil, "", fmt.Errorf("write the audio: %w", err)
	}
	if err := form.Close(); err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	return b.Bytes(), form.FormDataContentType(), nil
}

// pastEnd is how far beyond the end of the audio a recogniser may place a word: some round the
// times, or pad the audio.
const pastEnd = time.Second

// parseTranscription parses an answer with or without word times, for audio of the given length.
func parseTranscription(data []byte, length time.Duration) (review.Transcript, error) {
	var answer struct {
		Text  *string         `json:"text"`
		Words json.RawMessage `json:"words"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.Text == nil {
		return review.Transcript{}, problem.New(problem.Unavailable, "the endpoint's transcription cannot be read").Because(err)
	}
	text := strings.TrimSpace(*answer.Text)
	var words []wordTime
	if json.Unmarshal(answer.Words, &words) != nil {
		words = nil // the text is still valid
	}
	return review.Transcript{Text: text, Words: placed(text, words, length)}, nil
}

// wordTime is a word of an answer, with times in seconds; null if a recogniser does not know them.
type wordTime struct {
	Word  string   `json:"word"`
	Start *float64 `json:"start"`
	End   *float64 `json:"end"`
}

// placed returns the words of text with their times, or none unless they cover the whole text
// and lie within the audio: where a transcript has words, scorers search only them.
func placed(text string, words []wordTime, length time.Duration) []call.Word {
	var out []call.Word
	var all strings.Builder
	for _, w := range words {
		if w.Start == nil || w.End == nil || !(*w.Start >= 0 && *w.End >= *w.Start && *w.End <= (length+pastEnd).Seconds()) {
			return nil
		}
		all.WriteString(w.Word)
		out = append(out, call.Word{Text: strings.TrimSpace(w.Word), Start: min(seconds(*w.Start), length), End: min(seconds(*w.End), length)})
	}
	if letters(all.String()) != letters(text) {
		return nil
	}
	return out
}

// letters returns the letters and digits of a text, because recognisers differ in whether
// "nine-to-five." is one word or three.
func letters(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, text))
}
