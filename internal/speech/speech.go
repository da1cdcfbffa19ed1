// Package speech provides speech synthesis, speech recognition and the language model. It wraps local
// programs (flite, espeak-ng, pocketsphinx) and OpenAI-compatible HTTP endpoints behind the interfaces
// that caller, practice, review and score/judge declare. It decides nothing about a call.
//
// It uses audio (PCM), leg (Ears), chat (Model), scenario (Persona) and review (Transcriber). Package
// app creates the Engines and passes them on; speech/speechtest has scripted stand-ins for tests.
package speech

import (
	"context"
	"log/slog"
	"net/http"
	"os/exec"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// The engines that Options can name.
const (
	Local  = "local"  // flite and pocketsphinx
	OpenAI = "openai" // an OpenAI-compatible HTTP endpoint
)

// Mouth turns a line of text into audio. With the local programs, the same input gives the same bytes.
type Mouth interface {
	// Say synthesises text in the persona's voice. The error is a problem.InvalidFields for an
	// unknown voice or accent, a problem.Unavailable if the engine is missing.
	Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error)
	// Engine names the engine, for reports.
	Engine() string
}

// Options choose the engines. The zero value chooses the local programs.
type Options struct {
	// TTS and STT are Local (the default) or OpenAI.
	TTS, STT string
	// HTTP is the OpenAI-compatible endpoint. There is a language model if HTTP.ChatModel is set.
	HTTP HTTPOptions
	// Dir is the directory for temporary files; "" is the system's.
	Dir string
	// ModelDir is the directory of pocketsphinx's model; "" is Debian's.
	ModelDir string
	// Speakers and Limit bound how many synthesis and recognition programs run at the same time
	// (default 2 and 1). The ears of live calls are not counted: they belong to a call.
	Speakers, Limit int
	// Gate, if not nil, is called before each recognition for a review, so that it can wait
	// while calls are in progress.
	Gate func(context.Context) error
	// Timeout bounds one synthesis (default 20 s). Recognition may take two minutes plus twice
	// the length of its audio, because it runs at idle priority.
	Timeout time.Duration
	// LookPath finds a program; nil means exec.LookPath.
	LookPath func(string) (string, error)
	Log      *slog.Logger
}

// HTTPOptions configure an OpenAI-compatible endpoint.
type HTTPOptions struct {
	// BaseURL is the address including the version ("https://api.example.com/v1").
	BaseURL string
	// Key is sent as a bearer token and used nowhere else; "" sends none.
	Key string
	// TTSModel, STTModel and ChatModel are model names of the endpoint.
	TTSModel, STTModel, ChatModel string
	// Voice is the voice for personas without one (default "alloy").
	Voice string
	// Client sends the requests; nil creates one. Its Timeout is not changed.
	Client *http.Client
	// Timeout bounds one try (default 60 s), Tries the number of tries (default 4).
	Timeout time.Duration
	Tries   int
	// Wait waits between tries; nil waits in real time. Jitter returns a number from 0 to 1; nil is random.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func() float64
}

// Engines are the chosen engines. They are safe for concurrent use.
type Engines struct {
	mouth       Mouth
	transcriber review.Transcriber
	model       chat.Model
	reviewing   chat.Model
	programs    *programs
	sphinx      *sphinx
	http        *endpoint
	opts        Options
}

// New creates the engines. It starts nothing; Check reports whether they work.
func New(o Options) (*Engines, error) {
	o = withDefaults(o)
	e := &Engines{opts: o, programs: &programs{look: o.LookPath, dir: o.Dir}}
	if o.HTTP.BaseURL != "" {
		end, err := newEndpoint(o.HTTP)
		if err != nil {
			return nil, err
		}
		e.http = end
		if o.HTTP.ChatModel != "" {
			e.model = newHTTPModel(end, o.HTTP.ChatModel)
			e.reviewing = newRestingModel(e.model, time.Now)
		}
	}
	if err := e.chooseMouth(); err != nil {
		return nil, err
	}
	return e, e.chooseEars()
}

func withDefaults(o Options) Options {
	if o.TTS == "" {
		o.TTS = Local
	}
	if o.STT == "" {
		o.STT = Local
	}
	if o.Speakers <= 0 {
		o.Speakers = 2
	}
	if o.Limit <= 0 {
		o.Limit = 1
	}
	if o.Timeout <= 0 {
		o.Timeout = 20 * time.Second
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if o.ModelDir == "" {
		o.ModelDir = "/usr/share/pocketsphinx/model/en-us"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func (e *Engines) chooseMouth() error {
	switch e.opts.TTS {
	case Local:
		e.mouth = &localMouth{programs: e.programs, slots: make(slots, e.opts.Speakers), timeout: e.opts.Timeout}
	case OpenAI:
		if e.http == nil || e.opts.HTTP.TTSModel == "" {
			return missingEndpoint("tts", "speech synthesis", "its model")
		}
		e.mouth = &httpMouth{end: e.http, model: e.opts.HTTP.TTSModel, voice: e.opts.HTTP.Voice}
	default:
		return unknownEngine("tts", e.opts.TTS)
	}
	return nil
}

func (e *Engines) chooseEars() error {
	switch e.opts.STT {
	case Local:
		e.sphinx = &sphinx{
			programs: e.programs, modelDir: e.opts.ModelDir, slots: make(slots, e.opts.Limit),
			gate: e.opts.Gate, log: e.opts.Log,
		}
		e.transcriber = e.sphinx
	case OpenAI:
		if e.http == nil || e.opts.HTTP.STTModel == "" {
			return missingEndpoint("stt", "speech recognition", "its model")
		}
		e.transcriber = newHTTPTranscriber(e.http, e.opts.HTTP.STTModel)
	default:
		return unknownEngine("stt", e.opts.STT)
	}
	return nil
}

func missingEndpoint(path, what, which string) error {
	e := problem.Invalid(problem.Field{Path: path, Message: what + " over HTTP needs a base URL and " + which})
	return e.WithHint("Name the endpoint and the model, or choose %q.", Local)
}

func unknownEngine(path, name string) error {
	return problem.Invalid(problem.Field{
		Path: path, Message: "there is no engine " + `"` + name + `"; the engines are "local" and "openai"`,
	})
}

// Mouth returns the chosen synthesis.
func (e *Engines) Mouth() Mouth { return e.mouth }

// Transcriber returns the chosen recognition of recordings.
func (e *Engines) Transcriber() review.Transcriber { return e.transcriber }

// Model returns the language model, nil if none is configured.
func (e *Engines) Model() chat.Model { return e.model }

// ReviewingModel returns the model for reviews, which does not wait for an endpoint that has become silent.
func (e *Engines) ReviewingModel() chat.Model { return e.reviewing }

// Usage returns what the HTTP endpoint was used for so far; ok is false if there is none.
func (e *Engines) Usage() (u Usage, ok bool) {
	if e.http == nil {
		return Usage{}, false
	}
	return e.http.usage(), true
}

// EarsOptions configure the ears of a call.
type EarsOptions struct {
	// Rate is the sample rate of the frames, in Hz: 8000 or 16000.
	Rate int
	// Language is a BCP 47 tag. The local recogniser understands English only.
	Language string
	// Hints are sentences that are likely to occur.
	Hints []string
	// Patience is how long the local recogniser may take for the words of a turn (default 5 s). A
	// line in virtual time, which waits for all results, may allow more.
	Patience time.Duration
	// Grammar is a JSGF grammar that replaces the language model, for the local recogniser only.
	Grammar string
}

// NewEars returns the ears of one call. They hold a process or a buffer until Close.
func (e *Engines) NewEars(ctx context.Context, o EarsOptions) (leg.Ears, error) {
	if o.Rate != 8000 && o.Rate != 16000 {
		return nil, problem.New(problem.Internal, "ears take 8000 or 16000 Hz, not %d", o.Rate)
	}
	if e.sphinx != nil {
		return e.sphinx.newEars(ctx, o)
	}
	return newHTTPEars(e.transcriber, o), nil
}
