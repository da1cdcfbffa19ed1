package main

import (
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// The bounds of --max-call-log.
const (
	minCallLog = 1 << 10
	maxCallLog = 64 << 20
)

// maxAtWork is how many jobs of one kind the queue may be told to work on at a time.
const maxAtWork = 10_000

// check names every flag whose value makes no sense by itself, all at once.
func (c *serveCommand) check() (fields []problem.Field) {
	wrong := func(flag, message string) { fields = append(fields, problem.Field{Path: flag, Message: message}) }
	for _, f := range []struct {
		flag string
		bad  bool
	}{
		{"--placing", c.Placing < 0}, {"--reviewing", c.Reviewing < 0}, {"--record-wait", c.RecordWait < 0},
		{"--beat", c.Beat < 0}, {"--silent-after", c.SilentAfter < 0}, {"--stop-time", c.StopTime < 0},
	} {
		if f.bad {
			wrong(f.flag, "must not be negative")
		}
	}
	if c.Placing == 0 {
		wrong("--placing", "must be at least 1; to place no calls, start without --trunk and with --no-media")
	}
	for _, f := range []struct {
		flag string
		n    int
	}{{"--placing", c.Placing}, {"--reviewing", c.Reviewing}} {
		if f.n > maxAtWork {
			wrong(f.flag, fmt.Sprintf("must be at most %d", maxAtWork))
		}
	}
	fields = append(fields, c.checkCallLogs()...)
	fields = append(fields, checkPublicURL(c.PublicURL)...)
	fields = append(fields, c.databaseFlags.check()...)
	if c.RoomWait <= 0 {
		wrong("--room-wait", "must be more than 0")
	}
	fields = append(fields, c.speechFlags.check()...)
	fields = append(fields, c.mediaFlags.check()...)
	return append(fields, c.oidcFlags.check()...)
}

// check reports a database address of an unknown kind.
func (f databaseFlags) check() []problem.Field {
	if f.Database == "" || strings.HasPrefix(f.Database, "postgres://") || strings.HasPrefix(f.Database, "postgresql://") {
		return nil
	}
	return []problem.Field{{Path: "--database", Message: "must begin with postgres:// or postgresql://; without it SQLite in --data is used"}}
}

// check names what an endpoint for speech still needs.
func (f speechFlags) check() (fields []problem.Field) {
	missing := func(flag, value, why string) {
		if value == "" {
			fields = append(fields, problem.Field{Path: flag, Message: "is needed with " + why})
		}
	}
	if f.TTS == speech.OpenAI {
		missing("--tts-model", f.TTSModel, "--tts openai")
	}
	if f.STT == speech.OpenAI {
		missing("--stt-model", f.STTModel, "--stt openai")
	}
	switch {
	case f.TTS == speech.OpenAI:
		missing("--speech-url", f.APIURL, "--tts openai")
	case f.STT == speech.OpenAI:
		missing("--speech-url", f.APIURL, "--stt openai")
	case f.ChatModel != "":
		missing("--speech-url", f.APIURL, "--chat-model")
	}
	if f.APIURL != "" && !isWeb(f.APIURL) {
		fields = append(fields, problem.Field{Path: "--speech-url", Message: "must be an address such as https://api.example.com/v1"})
	}
	return fields
}

// checkPublicURL reports an address that links cannot begin with. The web app and its cookies live
// at the root of a host: below a path none of their links would work.
func checkPublicURL(address string) []problem.Field {
	if address == "" {
		return nil
	}
	var message string
	u, err := url.Parse(address)
	switch {
	case err != nil || !isWeb(address):
		message = "must be an http or https address such as https://ringtrue.example.org"
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil:
		message = "must be only a scheme and a host, such as https://ringtrue.example.org; the service cannot run below a path"
	default:
		return nil
	}
	return []problem.Field{{Path: "--public-url", Message: message}}
}

// root is the address that links begin with, without the slash at its end.
func root(publicURL string) string { return strings.TrimRight(publicURL, "/") }

// isWeb is true of an http or https address.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func (c *serveCommand) checkCallLogs() (fields []problem.Field) {
	if c.JudgeFeeling && c.ChatModel == "" {
		fields = append(fields, problem.Field{Path: "--judge-feeling", Message: "needs --chat-model, the model that judges"})
	}
	if c.MaxCallLog < minCallLog || c.MaxCallLog > maxCallLog {
		fields = append(fields, problem.Field{Path: "--max-call-log", Message: "must be between 1024 and 67108864 bytes"})
	}
	if c.CallLogRate < 0 || math.IsNaN(c.CallLogRate) || math.IsInf(c.CallLogRate, 0) {
		fields = append(fields, problem.Field{Path: "--call-log-rate", Message: "must be a number, 0 or more"})
	}
	return fields
}
