package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// Finding is one thing that was looked at.
type Finding = speech.Finding

// Examine checks everything that a service with these options depends on: the data folder, the
// speech programs, the trunks and the media server. It changes nothing.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	engines, err := speech.New(o.Speech)
	if err != nil {
		return nil, err
	}
	findings := slices.Concat([]Finding{examineData(o.Data)}, engines.Check(ctx), examineMedia(ctx, o))
	trunks, err := examineTrunks(ctx, o)
	return append(findings, trunks...), err
}

// examineData checks whether a service can store in its data folder, or make one.
func examineData(data string) Finding {
	good := data + " can be written"
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		good = data + " can be made"
	}
	return finding("data folder", good, explained(data, cmp.Or(takesFiles(existing(data)), takesFiles(existing(filepath.Join(data, RecordingsDir))))))
}

// existing is a folder, or the nearest above it that is there.
func existing(folder string) string {
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}

func examineTrunks(ctx context.Context, o Options) ([]Finding, error) {
	if len(o.Trunks) == 0 {
		return nil, nil
	}
	options, err := lineOptions(o)
	if err != nil {
		return nil, err
	}
	line, err := openLine(options, o.SIPBind)
	if err != nil {
		return nil, err
	}
	defer line.Close()
	var findings []Finding
	for _, t := range o.Trunks {
		findings = append(findings, finding("trunk "+t.Name, "answers", line.Probe(ctx, t.Name)))
	}
	return findings, nil
}

// examineMedia checks whether rooms will work: whether an external media server answers, or whether
// the ports of an embedded one are free and its Redis answers.
func examineMedia(ctx context.Context, o Options) []Finding {
	if o.Media.Off {
		return nil
	}
	const name = "media server"
	if o.Media.URL != "" {
		rooms, _, err := newMediaRooms(o)
		if err == nil {
			err = rooms.Check(ctx)
		}
		return []Finding{finding(name, "answers", err)}
	}
	embed := o.Media.embed(o)
	if err := embed.Validate(); err != nil { // a service does not start with these
		return []Finding{finding(name, "", err)}
	}
	ports := finding(name, "can be embedded: its ports are free", media.PortsFree(embed))
	ports.Needed = false // a service that runs has taken them itself
	if embed.Redis == "" {
		return []Finding{ports}
	}
	return []Finding{ports, finding("Redis", "answers", media.RedisAnswers(ctx, embed))}
}

// finding is the result of a check of something that is needed.
func finding(name, good string, err error) Finding {
	f := Finding{Name: name, OK: err == nil, Needed: true, Detail: good}
	if err != nil {
		f.Detail = err.Error()
	}
	if p := problem.As(err); p != nil {
		f.Detail, f.Hint = p.Message, p.Hint
		for _, field := range p.Fields {
			f.Detail += "; " + field.String()
		}
	}
	return f
}

// OpenAPI returns the OpenAPI document of the REST interface, indented so that a change of it can
// be read as a diff.
func OpenAPI(version string) ([]byte, error) {
	p := &parts{}
	handler, err := p.handler(Options{Version: version, Log: slog.New(slog.DiscardHandler)}, "", nil)
	if err != nil {
		return nil, err
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, rest.BasePath+"/openapi.json", nil)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var document bytes.Buffer
	if err := json.Indent(&document, w.Body.Bytes(), "", " "); err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	return document.Bytes(), nil
}
