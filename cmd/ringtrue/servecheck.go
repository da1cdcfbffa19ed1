package main

import (
	"net/url"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// The bounds of --max-call-log.
const (
	minCallLog = 1 << 10
	maxCallLog = 64 << 20
)

// check names every flag whose value makes no sense by itself, all at once.
func (c *serveCommand) check() error {
	var fields []problem.Field
	wrong := func(flag, message string) { fields = append(fields, problem.Field{Path: flag, Message: message}) }
	for _, f := range []struct {
		flag string
		bad  bool
	}{{"--placing", c.Placing < 0}, {"--reviewing", c.Reviewing < 0}, {"--record-wait", c.RecordWait < 0}} {
		if f.bad {
			wrong(f.flag, "must not be negative")
		}
	}
	fields = append(fields, c.checkCallLogs()...)
	if c.PublicURL != "" {
		if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			wrong("--public-url", "must be an http or https address such as https://ringtrue.example.org")
		}
	}
	if c.Database != "" && !strings.HasPrefix(c.Database, "postgres://") && !strings.HasPrefix(c.Database, "postgresql://") {
		wrong("--database", "must begin with postgres://; without it SQLite in --data is used")
	}
	if c.RoomWait <= 0 {
		wrong("--room-wait", "must be more than nothing")
	}
	fields = append(fields, c.mediaFlags.check()...)
	fields = append(fields, c.oidcFlags.check()...)
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

func (c *serveCommand) checkCallLogs() (fields []problem.Field) {
	if c.JudgeFeeling && c.ChatModel == "" {
		fields = append(fields, problem.Field{Path: "--judge-feeling", Message: "needs the --chat-model that is to judge"})
	}
	if c.MaxCallLog < minCallLog || c.MaxCallLog > maxCallLog {
		fields = append(fields, problem.Field{Path: "--max-call-log", Message: "must be between 1024 and 67108864 bytes"})
	}
	if c.CallLogRate < 0 {
		fields = append(fields, problem.Field{Path: "--call-log-rate", Message: "must not be negative"})
	}
	return fields
}
