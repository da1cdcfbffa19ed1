package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// Finding is one thing that was looked at.
type Finding = speech.Finding

// Examine looks at everything a service with these options would lean on: the
// speech programs and the trunks. It changes nothing.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	engines, err := speech.New(o.Speech)
	if err != nil {
		return nil, err
	}
	findings := engines.Check(ctx)
	if len(o.Trunks) == 0 {
		return findings, nil
	}
	options, err := lineOptions(o)
	if err != nil {
		return nil, err
	}
	line, err := sip.New(options)
	if err != nil {
		return nil, err
	}
	defer line.Close()
	for _, t := range o.Trunks {
		f := Finding{Name: "trunk " + t.Name, OK: true, Needed: true, Detail: "answers"}
		if err := line.Probe(ctx, t.Name); err != nil {
			f.OK, f.Detail = false, err.Error()
			if p := problem.As(err); p != nil {
				f.Detail, f.Hint = p.Message, p.Hint
			}
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// OpenAPI returns the OpenAPI document of the REST interface.
func OpenAPI(version string) ([]byte, error) {
	p := &parts{}
	handler, err := p.handler(Options{Version: version, Log: slog.New(slog.DiscardHandler)}, "", nil)
	if err != nil {
		return nil, err
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, api.BasePath+"/openapi.json", nil)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Body.Bytes(), nil
}
