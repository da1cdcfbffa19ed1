package app

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/fetch"
	"github.com/ringtrue/ringtrue/internal/platform"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/secret"
	"github.com/ringtrue/ringtrue/internal/store"
)

// fetchedDir is the folder inside Options.Data where recordings lie while they are read.
const fetchedDir = "fetched"

// buildOutside makes everything that calls addresses given by others.
func (p *parts) buildOutside(ctx context.Context, o Options, undo *cleanups) error {
	box, err := secrets(o)
	if err != nil {
		return err
	}
	p.identity = newIdentityProvider(o, box)
	p.credentials = credential.New(credential.Options{
		Store: store.As[credential.Tx](p.store), Sealer: box, NewID: store.NewID, Now: o.Now,
	})
	if err := p.credentials.Check(ctx); err != nil {
		return err
	}
	dir, err := emptied(filepath.Join(o.Data, fetchedDir))
	if err != nil {
		return err
	}
	recordings, err := fetch.New(fetch.Options{Allow: o.FetchAllow, Dir: dir, Now: o.Now, Random: chance, Rest: hostRest, Places: fetching, Aside: standing})
	if err != nil {
		return problem.Invalid(problem.Field{Path: "--fetch-allow", Message: err.Error()})
	}
	undo.push("connections to recordings", func(context.Context) error { recordings.Close(); return nil })
	p.outside = outside{client: recordings, credentials: p.credentials}
	return p.buildPlatforms(o, undo)
}

// buildPlatforms makes the client of the voice platforms' interfaces. The operator names their
// hosts, which may therefore be anywhere; the hosts of recordings may not.
func (p *parts) buildPlatforms(o Options, undo *cleanups) error {
	allow := append([]string(nil), o.FetchAllow...)
	for name, base := range o.PlatformURLs {
		if base == "" {
			continue
		}
		u, err := fetch.Parse(base)
		if err != nil {
			return problem.Invalid(problem.Field{Path: "--" + strings.ReplaceAll(name, "_", "-") + "-url", Message: err.Error()})
		}
		allow = append(allow, fetch.Host(u))
	}
	client, err := fetch.New(fetch.Options{Allow: allow, Now: o.Now, Random: chance})
	if err != nil {
		return err
	}
	undo.push("connections to platforms", func(context.Context) error { client.Close(); return nil })
	p.platforms = platform.New(platform.Options{Getter: platformClient{client}, Keys: p.credentials, Agents: p.catalog, Bases: o.PlatformURLs})
	return nil
}

// secrets are the keys that seal and open credentials.
func secrets(o Options) (*secret.Box, error) {
	var keys []secret.Key
	for _, text := range o.SecretKeys {
		k, err := secret.ParseKey(text)
		if err != nil {
			return nil, problem.Invalid(problem.Field{Path: "--secret-key", Message: err.Error()})
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		if err := dataFolder(o.Data); err != nil {
			return nil, err
		}
		k, _, err := secret.FromFolder(o.Data, rand.Reader)
		if err == nil {
			err = keepNames(o.Data) // before anything is sealed with a key that could be lost
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return secret.NewBox(keys[0], keys[1:]...), nil
}

// abandoned is the age from which a fetched file counts as left behind by a crash.
const abandoned = 24 * time.Hour

// emptied makes a folder, and removes what dead processes left in it.
func emptied(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of fetched recordings: %w", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("look for fetched recordings: %w", err)
	}
	for _, f := range left {
		// Another process may share the folder, so only what is old goes.
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
	return dir, nil
}

// chance is a number from 0 to 1 that spreads retries.
func chance() float64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return float64(binary.NativeEndian.Uint64(b[:])>>11) / (1 << 53)
}

// outside fetches recordings for package review.
type outside struct {
	client      *fetch.Client
	credentials *credential.Service
}

const (
	// maxRecording is the largest recording that is fetched: 4 h of stereo at 16 bits and 16 kHz fit, 90 min at 48 kHz.
	maxRecording = 1 << 30
	// fetchTime is how long fetching one may take.
	fetchTime = 10 * time.Minute
	// fetchTries is how often it is tried at once: few times, because its job tries for an hour.
	fetchTries = 2
	// hostRest is the first pause before a host that did not answer is asked again.
	hostRest = 2 * time.Second
)

// Fetch implements review.Outside.
func (x outside) Fetch(ctx context.Context, workspaceID, address string) (io.ReadCloser, error) {
	u, err := fetch.Parse(address)
	if err != nil {
		return nil, review.NeverHad{Reason: err.Error()}
	}
	r := fetch.Request{URL: address, Party: workspaceID, MaxBytes: maxRecording, Timeout: fetchTime, Tries: fetchTries, Cut: true}
	token, kept, err := x.token(ctx, workspaceID, u)
	switch {
	case err != nil:
		return nil, err
	case token.Header != "":
		r.Header = http.Header{http.CanonicalHeaderKey(token.Header): {token.Value}}
	case token.Query != "":
		r.Query = url.Values{token.Query: {token.Value}}
	}
	body, err := x.client.Get(ctx, r)
	var fault *fetch.Error
	switch {
	case err == nil:
		return recording{body}, nil
	case !errors.As(err, &fault):
		return nil, err
	case fault.Temporary():
		return nil, review.NotYet{Reason: fault.Text, After: fault.RetryAfter}
	case kept && fault.Reason == fetch.Unauthorized:
		return nil, review.NeverHad{Reason: fault.Text + "; the credential of its host is sent over https only, and to the port that it is for"}
	}
	return nil, review.NeverHad{Reason: fault.Text, Missing: fault.Status == http.StatusNotFound}
}

// recording is what was fetched; it implements review.Flawed.
type recording struct{ *fetch.Body }

// Flaw is what is wrong with it.
func (r recording) Flaw() string {
	if r.Cut {
		return "its server ends it before the length that it tells, at the same place each time, so its end may be missing"
	}
	return ""
}

// token is the credential for a recording's address, empty when none may be sent there; kept
// reports that there is one for the same host. Whoever writes a call log chooses scheme and port.
// So a secret is sent over https alone and to the port that it was given for, except to hosts that
// the operator allowed by name or address.
func (x outside) token(ctx context.Context, workspaceID string, u *url.URL) (t credential.Token, kept bool, err error) {
	host, port, safe := fetch.Host(u), u.Port(), strings.EqualFold(u.Scheme, "https")
	places := []string{host}
	if port != "" && port != "443" {
		places = []string{net.JoinHostPort(host, port), host}
	}
	for _, place := range places {
		found, ok, err := x.credentials.For(ctx, workspaceID, place)
		switch {
		case err != nil:
			return t, false, err
		case ok && (safe && place == places[0] || x.client.Allows(host)):
			return found, false, nil
		}
		kept = kept || ok
	}
	return t, kept, nil
}

// platformClient asks platforms through the guarded client.
type platformClient struct{ client *fetch.Client }

const (
	maxList  = 16 << 20
	listTime = 45 * time.Second
)

// GetJSON implements platform.Getter.
func (c platformClient) GetJSON(ctx context.Context, q platform.Question, key string) ([]byte, error) {
	header := http.Header{"Authorization": {"Bearer " + key}, "Accept": {"application/json"}}
	if q.Body != nil {
		header.Set("Content-Type", "application/json")
	}
	body, _, err := c.client.Bytes(ctx, fetch.Request{
		URL: q.Address, Body: q.Body, Header: header, MaxBytes: maxList, Timeout: listTime, Tries: 2,
	})
	var fault *fetch.Error
	if errors.As(err, &fault) {
		return nil, &platform.Refused{Status: fault.Status, Text: fault.Text, RetryAfter: fault.RetryAfter}
	}
	return body, err
}
