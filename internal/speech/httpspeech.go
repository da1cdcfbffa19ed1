package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"strings"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// httpMouth speaks through POST /audio/speech.
type httpMouth struct {
	end          *endpoint
	model, voice string
}

// Engine implements Mouth.
func (m *httpMouth) Engine() string { return m.model }

// Say implements Mouth. Pitch has no counterpart at such endpoints and is refused.
func (m *httpMouth) Say(ctx context.Context, p scenario.Persona, _, text string) (audio.Clip, error) {
	text, err := cleanLine(text)
	if err != nil {
		return audio.Clip{}, err
	}
	if factor(p.Pitch) != 1 {
		return audio.Clip{}, problem.Invalid(problem.Field{Path: "persona.pitch", Message: "the HTTP voices have no pitch to set"})
	}
	voice := p.Voice
	if voice == "" {
		voice = m.voice
	}
	if voice == "" {
		voice = "alloy"
	}
	ask := map[string]any{"model": m.model, "input": text, "voice": voice, "response_format": "wav", "speed": factor(p.Pace)}
	if p.Accent != "" {
		ask["instructions"] = "Speak with the accent " + p.Accent + "."
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return audio.Clip{}, fmt.Errorf("write the request: %w", err)
	}
	m.end.spokenChars.Add(int64(len([]rune(text))))
	var clip audio.Clip
	err = m.end.do(ctx, "/audio/speech", "application/json", body, func(r io.Reader) error {
		data, err := readBounded(r, maxClip)
		if err != nil {
			return err
		}
		clip, err = clipFromWAV(openEndedWAV(data), m.model)
		return err
	})
	return clip, err
}

// openEndedWAV mends the sizes of a WAV that was streamed: its header was
// written before the length was known.
func openEndedWAV(data []byte) []byte {
	i := bytes.Index(data[:min(len(data), 512)], []byte("data"))
	if !bytes.HasPrefix(data, []byte("RIFF")) || i < 0 || len(data) < i+8 {
		return data
	}
	le32 := func(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24 }
	have := uint32(len(data) - i - 8)
	if said := le32(data[i+4:]); said != 0 && said <= have {
		return data
	}
	out := bytes.Clone(data)
	put := func(at int, v uint32) {
		out[at], out[at+1], out[at+2], out[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	}
	put(i+4, have)
	put(4, uint32(len(data)-8))
	return out
}

// httpTranscriber recognises through POST /audio/transcriptions.
type httpTranscriber struct {
	end   *endpoint
	model string
}

// Engine implements review.Transcriber.
func (t *httpTranscriber) Engine() (string, bool) { return t.model, false }

// Transcribe implements review.Transcriber: one request per segment.
func (t *httpTranscriber) Transcribe(ctx context.Context, r review.Speech) ([]review.Transcript, error) {
	out := make([]review.Transcript, len(r.Segments))
	for i, seg := range r.Segments {
		from := clampIndex(seg.Start-segmentMargin, r.Rate, len(r.PCM))
		to := clampIndex(seg.End+segmentMargin, r.Rate, len(r.PCM))
		if to <= from {
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

func (t *httpTranscriber) one(ctx context.Context, r review.Speech, pcm []int16) (review.Transcript, error) {
	body, contentType, err := transcriptionForm(t.model, r, pcm)
	if err != nil {
		return review.Transcript{}, err
	}
	t.end.heardMS.Add(durationOf(len(pcm), r.Rate).Milliseconds())
	var out review.Transcript
	err = t.end.do(ctx, "/audio/transcriptions", contentType, body, func(r io.Reader) error {
		data, err := readBounded(r, maxAnswer)
		if err != nil {
			return err
		}
		out, err = parseTranscription(data)
		return err
	})
	return out, err
}

func transcriptionForm(model string, r review.Speech, pcm []int16) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	fields := [][2]string{{"model", model}, {"response_format", "verbose_json"}, {"timestamp_granularities[]", "word"}, {"temperature", "0"}}
	if lang, _, _ := strings.Cut(r.Language, "-"); lang != "" {
		fields = append(fields, [2]string{"language", strings.ToLower(lang)})
	}
	for _, f := range fields {
		if err := form.WriteField(f[0], f[1]); err != nil {
			return nil, "", fmt.Errorf("write the form: %w", err)
		}
	}
	file, err := form.CreateFormFile("file", "speech.wav")
	if err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	if err := audio.WriteWAV(file, r.Rate, pcm); err != nil {
		return nil, "", fmt.Errorf("write the audio: %w", err)
	}
	if err := form.Close(); err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	return b.Bytes(), form.FormDataContentType(), nil
}

// parseTranscription reads an answer with or without word times.
func parseTranscription(data []byte) (review.Transcript, error) {
	var answer struct {
		Text  *string `json:"text"`
		Words []struct {
			Word  string  `json:"word"`
			Start float64 `json:"start"`
			End   float64 `json:"end"`
		} `json:"words"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.Text == nil {
		return review.Transcript{}, problem.New(problem.Unavailable, "the endpoint's transcription cannot be read").Because(err)
	}
	out := review.Transcript{Text: strings.TrimSpace(*answer.Text)}
	for _, w := range answer.Words {
		if !(w.Start >= 0 && w.End >= w.Start && w.End < 1e6) {
			continue
		}
		out.Words = append(out.Words, call.Word{Text: strings.TrimSpace(w.Word), Start: seconds(w.Start), End: seconds(w.End)})
	}
	return out, nil
}
