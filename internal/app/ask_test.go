package app

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

func (w tenant) sign(req *http.Request) {
	if w.signedIn {
		req.Header.Set("Cookie", w.cookie)
		return
	}
	req.Header.Set("Authorization", "Bearer "+w.key)
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends one request with the workspace's key. A header that is given
// empty is left out.
func (r *rig) ask(t *testing.T, w tenant, method, path string, body []byte, headers ...string) answer {
	t.Helper()
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+r.addr+"/api/rest"+path, reader)
	must(t, err)
	w.sign(req)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Del(headers[i])
		if headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	return r.send(t, req)
}

func (r *rig) send(t *testing.T, req *http.Request) answer {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Errorf("%s %.100s: %v", req.Method, req.URL.Path, err)
		return answer{header: http.Header{}}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("%s %.100s: %v", req.Method, req.URL.Path, err)
	}
	return answer{resp.StatusCode, resp.Header, data}
}

// wire is a problem as clients see it.
type wire struct {
	Type, Title, Code, Detail, Hint string
	Status                          int
	RequestID                       string `json:"request_id"`
	Errors                          []struct {
		Path, Message, Suggestion string
		Line                      int
	}
}

func (p wire) paths() (list []string) {
	for _, f := range p.Errors {
		list = append(list, f.Path)
	}
	return list
}

// refused checks everything that every refusal must have, and returns it.
func (r *rig) refused(t *testing.T, name string, a answer, status int, code string) wire {
	t.Helper()
	var p wire
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Errorf("%s: %d %.200q is no problem: %v", name, a.status, a.body, err)
		return p
	}
	if a.status != status || p.Status != status || p.Code != code {
		t.Errorf("%s: got %d %s %q %+v, want %d %s", name, a.status, p.Code, p.Detail, p.Errors, status, code)
	}
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("%s: content type %q", name, kind)
	}
	if p.Type != "about:blank" || p.Title != http.StatusText(status) || p.Detail == "" || p.RequestID == "" || p.RequestID != a.header.Get("X-Request-Id") {
		t.Errorf("%s: the problem is not whole: %s", name, a.body)
	}
	for _, f := range p.Errors {
		if f.Path == "" || f.Message == "" {
			t.Errorf("%s: a field without place or message: %s", name, a.body)
		}
	}
	if len(a.body) > 64<<10 {
		t.Errorf("%s: the refusal has %d bytes", name, len(a.body))
	}
	for _, secret := range []string{r.mine.key, r.theirs.key, "trunk-password"} {
		if bytes.Contains(a.body, []byte(secret)) {
			t.Errorf("%s: the refusal holds a secret", name)
		}
	}
	return p
}
