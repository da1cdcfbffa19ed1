package api_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const password = "correct horse battery"

// town is the interface with people in it.
type town struct {
	*bundle
	people *people.Service
	clock  time.Time
	// cookie is what a browser holds: name=value.
	cookies map[workspace.Role]string
	ids     map[workspace.Role]string
}

// settle makes an interface with one person of each role.
func settle(t *testing.T, change ...func(*api.Options)) *town {
	t.Helper()
	w := &town{clock: time.Now(), cookies: map[workspace.Role]string{}, ids: map[workspace.Role]string{}}
	w.bundle = setup(t, append([]func(*api.Options){func(o *api.Options) { w.open(t, o) }}, change...)...)
	token, err := w.people.OfferSetup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a := w.post(t, "", "/session/setup", `{"token":"`+token+`","name":"Ada","email":"ada@example.com","password":"`+password+`","workspace_name":"Clinic"}`)
	w.take(t, workspace.Owner, a)
	for _, role := range []workspace.Role{workspace.Viewer, workspace.Member, workspace.Admin} {
		a := w.post(t, w.cookies[workspace.Owner], "/invitations", fmt.Sprintf(`{"email":"%s@example.com","role":"%s"}`, role, role))
		var made struct{ URL string }
		decode(t, a, 201, &made)
		_, token, _ := strings.Cut(made.URL, "/join?token=")
		w.take(t, role, w.post(t, "", "/session/join", fmt.Sprintf(`{"token":"%s","name":"%s","password":"%s"}`, token, role, password)))
	}
	return w
}

// open puts people into the interface; it runs when the store is there.
func (w *town) open(t *testing.T, o *api.Options) {
	t.Helper()
	s, ok := o.Events.(*store.Store)
	if !ok {
		t.Fatal("the events are not the store's")
	}
	var err error
	w.people, err = people.New(people.Options{
		Store: store.As[people.Tx](s), NewID: newID, Now: func() time.Time { return w.clock }, Random: rand.Reader, Cost: people.Cost{Memory: 64, Passes: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	keys, ok := o.HTTP.Keys.(*workspace.Service)
	if !ok {
		t.Fatal("the keys are not the workspaces'")
	}
	c := catalog.New(catalog.Options{Store: store.As[catalog.Tx](s), NewID: newID, Now: time.Now})
	o.Sessions, o.Entrances, o.Members, o.Workspaces, o.KeyRing, o.AuditLog = w.people, w.people, w.people, w.people, keys, audit.New(s)
	o.Agents, o.Prompts = c, c
}

// take keeps the cookie that came with an answer.
func (w *town) take(t *testing.T, role workspace.Role, a *httptest.ResponseRecorder) {
	t.Helper()
	var s api.Session
	decode(t, a, 200, &s)
	set := a.Result().Cookies()
	if len(set) != 1 || s.Person == nil || s.Role == nil || *s.Role != role {
		t.Fatalf("%s: %d cookies, %s", role, len(set), a.Body)
	}
	w.cookies[role], w.ids[role] = set[0].Name+"="+set[0].Value, s.Person.ID
}

func decode(t *testing.T, a *httptest.ResponseRecorder, status int, into any) {
	t.Helper()
	if a.Code != status {
		t.Fatalf("got %d %s, want %d", a.Code, a.Body, status)
	}
	if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// by sends a request with a cookie and without a key.
func (w *town) by(t *testing.T, cookie, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return w.ask(t, method, "/api/rest"+path, body, append([]string{"Authorization", "", "Cookie", cookie}, headers...)...)
}

func (w *town) post(t *testing.T, cookie, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return w.by(t, cookie, "POST", path, body, headers...)
}
