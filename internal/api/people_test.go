package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

func TestTheSessionTellsWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	w := settle(t)
	nobody := w.by(t, "", "GET", "/session", "")
	wantJSON(t, nobody, 200, `{"signed_in":false,"setup_needed":false,"sign_in":{"password":true,"oidc":null},"person":null,"workspace":null,"role":null,"workspaces":[]}`)
	if nobody.Header().Get("Cache-Control") != "no-store" {
		t.Error("it may be cached")
	}
	id := w.first.Workspace.ID
	// The other workspace existed at set-up, so that the first person owns it too.
	var s api.Session
	decode(t, w.by(t, w.cookies[workspace.Owner], "GET", "/session", ""), 200, &s)
	if !s.SignedIn || s.Person.Email != "ada@example.com" || s.Workspace.ID != id || s.Workspace.Name != "Clinic" || len(s.Workspaces) != 2 {
		t.Errorf("%+v", s)
	}
	w.clock = w.clock.Add(time.Second)
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "PATCH", "/session", `{"workspace_id":"`+s.Workspaces[1].ID+`"}`).Code, 200, "switch")
	wantProblem(t, w.by(t, w.cookies[workspace.Viewer], "PATCH", "/session", `{"workspace_id":"`+s.Workspaces[1].ID+`"}`), 422, "invalid_fields", "workspace_id")
	decode(t, w.by(t, w.cookies[workspace.Owner], "GET", "/session", ""), 200, &s)
	if s.Workspace.Name != "other" {
		t.Errorf("%+v", s.Workspace)
	}
	var key api.Session
	decode(t, w.ask(t, "GET", "/api/rest/session", ""), 200, &key)
	if !key.SignedIn || key.Person != nil || key.Workspace.ID != id || *key.Role != workspace.Admin {
		t.Errorf("with a key: %+v", key)
	}
	decode(t, w.by(t, w.cookies[workspace.Viewer], "PATCH", "/session/person", `{"name":"Vi"}`), 200, &s)
	if s.Person.Name != "Vi" || *s.Role != workspace.Viewer {
		t.Errorf("%+v", s)
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	const month = 30 * 24 * 3600 // less what a slow machine takes from signing in to answering
	for url, want := range map[string]string{
		"": "ringtrue_session", "http://127.0.0.1:8080": "ringtrue_session_8080",
		"https://ringtrue.example.org": "__Host-ringtrue_session", "https://ringtrue.example.org:8443": "__Host-ringtrue_session_8443",
	} {
		w := settle(t, func(o *api.Options) { o.HTTP.PublicURL = url })
		a := w.post(t, w.cookies[workspace.Owner], "/session", `{"email":"ada@example.com","password":"`+password+`"}`)
		c := a.Result().Cookies()[0]
		if c.Name != want || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.Secure != strings.HasPrefix(url, "https") || c.MaxAge > month || c.MaxAge < month-60 {
			t.Errorf("%s: %+v", url, c)
		}
		// Who signs in anew leaves no old session behind.
		wantProblem(t, w.by(t, w.cookies[workspace.Owner], "GET", "/agents", ""), 401, "unauthenticated")
		fresh := c.Name + "=" + c.Value
		for _, broken := range []string{fresh + "x", fresh[:len(fresh)-1], fresh + "; " + fresh, c.Name + "=", c.Name, "other=" + c.Value} {
			wantProblem(t, w.by(t, broken, "GET", "/agents", ""), 401, "unauthenticated")
		}
		wantStatus(t, w.by(t, fresh, "GET", "/agents", "").Code, 200, "a fresh cookie")
		out := w.by(t, fresh, "DELETE", "/session", "")
		if gone := out.Result().Cookies(); out.Code != 204 || len(gone) != 1 || gone[0].MaxAge >= 0 || gone[0].Value != "" {
			t.Errorf("%d %v", out.Code, gone)
		}
		wantProblem(t, w.by(t, fresh, "GET", "/agents", ""), 401, "unauthenticated")
	}
}

// What a browser or a proxy kept would be shown to whoever comes next, after signing out too.
func TestAnswersAreKeptByNobody(t *testing.T) {
	t.Parallel()
	w := settle(t)
	key := []string{"Authorization", "Bearer " + w.first.Secret}
	for _, asked := range []struct{ method, path, cookie string }{
		{"GET", "/members", w.cookies[workspace.Owner]}, {"HEAD", "/agents", w.cookies[workspace.Owner]}, {"GET", "/session", w.cookies[workspace.Owner]},
		{"GET", "/agents/agt_none", w.cookies[workspace.Owner]}, {"GET", "/api-keys", w.cookies[workspace.Viewer]}, {"GET", "/agents", ""}, {"GET", "/nothing", w.cookies[workspace.Owner]},
		{"POST", "/agents", w.cookies[workspace.Owner]},
	} {
		for _, headers := range [][]string{nil, key} {
			a := w.by(t, asked.cookie, asked.method, asked.path, `{"name":"x"}`, headers...)
			if got := a.Header().Values("Cache-Control"); len(got) != 1 || got[0] != "no-store" {
				t.Errorf("%s %s: %d, Cache-Control %q", asked.method, asked.path, a.Code, got)
			}
		}
	}
	if a := w.ask(t, "GET", "/docs", "", "Authorization", ""); a.Header().Get("Cache-Control") != "" {
		t.Error("what anybody may read is kept by nobody")
	}
}

// A page that was left open listens for weeks, and connects again after every break, with nobody
// before it.
func TestAStreamKeepsNoSessionAlive(t *testing.T) {
	t.Parallel()
	w := settle(t)
	server := httptest.NewServer(w.handler)
	w.clock = w.clock.Add(6 * 24 * time.Hour)
	w.follow(t, server, "", "Authorization", "", "Cookie", w.cookies[workspace.Viewer])
	server.CloseClientConnections()
	server.Close()
	wantStatus(t, w.by(t, w.cookies[workspace.Viewer], "HEAD", "/events", "").Code, 200, "the head of a stream")
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "GET", "/agents", "").Code, 200, "who looks at something")
	w.clock = w.clock.Add(2 * 24 * time.Hour)
	wantProblem(t, w.by(t, w.cookies[workspace.Viewer], "GET", "/agents", ""), 401, "unauthenticated")
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "GET", "/agents", "").Code, 200, "who looked at something")
}

func TestASessionThatIsOverOpensNothing(t *testing.T) {
	t.Parallel()
	w := settle(t)
	w.clock = w.clock.Add(7 * 24 * time.Hour)
	p := wantProblem(t, w.by(t, w.cookies[workspace.Owner], "GET", "/agents", ""), 401, "unauthenticated")
	if p.Detail != "the session has ended" || p.Hint != "sign in again" {
		t.Errorf("%+v", p)
	}
	var s api.Session
	decode(t, w.by(t, w.cookies[workspace.Owner], "GET", "/session", ""), 200, &s)
	if s.SignedIn {
		t.Error("it says that somebody is signed in")
	}
}

// Every operation there is, asked for by every role.
func TestRoles(t *testing.T) {
	t.Parallel()
	w := settle(t)
	admins := map[string]bool{
		"list-invitations": true, "create-invitation": true, "delete-invitation": true, "change-member": true, "remove-member": true,
		"list-api-keys": true, "create-api-key": true, "revoke-api-key": true, "list-audit-log": true, "create-workspace": true,
	}
	own := map[string]bool{"switch-workspace": true, "change-password": true, "change-person": true, "change-workspace": true}
	people := map[string]bool{
		"change-member": true, "remove-member": true, "create-invitation": true, "delete-invitation": true, "create-workspace": true,
		"switch-workspace": true, "change-password": true, "change-person": true,
	}
	asked := 0
	for path, item := range document(t, w.bundle).Paths {
		for method, op := range item {
			if op.open() || op.OperationID == "stream-events" {
				continue
			}
			least := workspace.Viewer
			switch {
			case admins[op.OperationID]:
				least = workspace.Admin
			case method != "get" && !own[op.OperationID]:
				least = workspace.Member
			}
			for _, role := range workspace.Roles() {
				asked++
				a := w.by(t, w.cookies[role], strings.ToUpper(method), "/"+strings.Trim(strings.NewReplacer("{", "", "}", "").Replace(path), "/"), "{")
				if refused := a.Code == 403; refused == role.AtLeast(least) {
					t.Errorf("%s by a %s: %d %s", op.OperationID, role, a.Code, a.Body)
				}
				if a.Code == 401 || a.Code >= 500 {
					t.Errorf("%s by a %s: %d %s", op.OperationID, role, a.Code, a.Body)
				}
				if a.Code == 403 {
					if p := wantProblem(t, a, 403, "forbidden"); !strings.Contains(p.Detail, string(least)) {
						t.Errorf("%s: it is not said what it takes: %q", op.OperationID, p.Detail)
					}
				}
			}
			a := w.ask(t, strings.ToUpper(method), "/api/rest"+strings.NewReplacer("{", "", "}", "").Replace(path), "{")
			if refused := a.Code == 403; refused != people[op.OperationID] {
				t.Errorf("%s with a key: %d %s", op.OperationID, a.Code, a.Body)
			} else if refused && !strings.Contains(a.Body.String(), "an API key cannot do this") { // whatever it is: a password, a workspace
				t.Errorf("%s: it is not said why: %s", op.OperationID, a.Body)
			}
		}
	}
	if asked < 100 {
		t.Errorf("%d requests", asked)
	}
}

func TestPagesOfOtherSitesChangeNothing(t *testing.T) {
	t.Parallel()
	w := settle(t, func(o *api.Options) { o.HTTP.PublicURL = "http://ringtrue.example.org" })
	cookie := w.cookies[workspace.Owner]
	const agent = `{"name":"a"}`
	signIn := `{"email":"ada@example.com","password":"` + password + `"}`
	for _, foreign := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"},
		{"Sec-Fetch-Site", "cross-site", "Origin", "http://ringtrue.example.org.evil.example"},
	} {
		wantProblem(t, w.post(t, cookie, "/agents", agent, foreign...), 403, "forbidden")
		wantProblem(t, w.by(t, cookie, "DELETE", "/session", "", foreign...), 403, "forbidden")
		wantProblem(t, w.post(t, "", "/session", signIn, foreign...), 403, "forbidden")
		wantStatus(t, w.by(t, cookie, "GET", "/agents", "", foreign...).Code, 200, "a link from elsewhere")
		// A key is sent on purpose, by programs.
		wantStatus(t, w.ask(t, "POST", "/api/rest/agents", agent, foreign...).Code, 201, "with a key")
		// A cookie beside a key does not count.
		wantProblem(t, w.ask(t, "POST", "/api/rest/agents", agent, append([]string{"Authorization", "Bearer rt_x", "Cookie", cookie}, foreign...)...), 401, "unauthenticated")
		// What a browser knows for a proxy it sends from any page.
		wantProblem(t, w.ask(t, "POST", "/api/rest/agents", agent, append([]string{"Authorization", "Basic eDp5", "Cookie", cookie}, foreign...)...), 403, "forbidden")
	}
	for _, ours := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}, {"Origin", "http://ringtrue.example.org"}, {}} {
		wantStatus(t, w.post(t, cookie, "/agents", agent, ours...).Code, 201, strings.Join(ours, " "))
	}
}

// A proxy before the service may ask for a password of its own, which the browser then sends
// with everything, or add a token that is its own business.
func TestWhatAProxyAddsIsNoKey(t *testing.T) {
	t.Parallel()
	w := settle(t)
	cookie := w.cookies[workspace.Owner]
	signIn := `{"email":"ada@example.com","password":"` + password + `"}`
	for _, added := range []string{"Basic eDp5", "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer", "Negotiate YII="} {
		wantStatus(t, w.ask(t, "POST", "/api/rest/session", signIn, "Authorization", added).Code, 200, "signing in with "+added)
		wantStatus(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", added, "Cookie", cookie).Code, 200, "signed in with "+added)
		wantProblem(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", added), 401, "unauthenticated")
		wantProblem(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", added, "Cookie", cookie+"x"), 401, "unauthenticated")
	}
	// A key that is wrong stays one: whoever sends it means it. The document tells so of GET /session.
	for _, wrong := range []string{"Bearer rt_x", "bearer  rt_0000000000000000_"} {
		wantProblem(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", wrong, "Cookie", cookie), 401, "unauthenticated")
		wantProblem(t, w.ask(t, "POST", "/api/rest/session", signIn, "Authorization", wrong), 401, "unauthenticated")
		wantProblem(t, w.ask(t, "GET", "/api/rest/session", "", "Authorization", wrong), 401, "unauthenticated")
	}
}

func TestKeysOverTheInterface(t *testing.T) {
	t.Parallel()
	w := settle(t)
	var made api.APIKeyCreated
	a := w.post(t, w.cookies[workspace.Admin], "/api-keys", `{"name":"ci"}`)
	decode(t, a, 201, &made)
	if a.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(made.Secret, "rt_"+made.Prefix+"_") || *made.CreatedBy != "admin" {
		t.Errorf("%s", a.Body)
	}
	wantStatus(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", "Bearer "+made.Secret).Code, 200, "the new key")
	list := w.by(t, w.cookies[workspace.Admin], "GET", "/api-keys", "")
	var page struct{ Data []api.APIKey }
	decode(t, list, 200, &page)
	if strings.Contains(list.Body.String(), made.Secret[20:]) || len(page.Data) != 2 || page.Data[0].ID != made.ID || page.Data[0].LastUsedAt == nil || page.Data[1].CreatedBy != nil {
		t.Errorf("%s", list.Body)
	}
	// Another workspace's admin finds nothing to revoke.
	wantProblem(t, w.ask(t, "DELETE", "/api/rest/api-keys/"+made.ID, "", "Authorization", "Bearer "+w.other), 404, "not_found")
	wantStatus(t, w.by(t, w.cookies[workspace.Admin], "DELETE", "/api-keys/"+made.ID, "").Code, 204, "revoke")
	wantProblem(t, w.ask(t, "GET", "/api/rest/agents", "", "Authorization", "Bearer "+made.Secret), 401, "unauthenticated")
	wantStatus(t, w.by(t, w.cookies[workspace.Admin], "DELETE", "/api-keys/"+made.ID, "").Code, 204, "revoke again")
	wantProblem(t, w.post(t, w.cookies[workspace.Admin], "/api-keys", `{"name":""}`), 422, "invalid_fields", "name")
}

func TestTheAuditLogTellsWhoDidWhat(t *testing.T) {
	t.Parallel()
	w := settle(t)
	wantStatus(t, w.post(t, w.cookies[workspace.Member], "/agents", `{"name":"Front desk"}`).Code, 201, "agent")
	wantProblem(t, w.post(t, w.cookies[workspace.Member], "/agents", `{"name":""}`), 422, "invalid_fields", "name")
	wantProblem(t, w.by(t, w.cookies[workspace.Member], "DELETE", "/agents/agt_none", ""), 404, "not_found")
	time.Sleep(2 * time.Millisecond) // ids of one millisecond have no order
	wantStatus(t, w.ask(t, "POST", "/api/rest/prompts", `{"slug":"kind","text":"Be kind to `+password+`."}`).Code, 201, "prompt")
	time.Sleep(2 * time.Millisecond)
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "DELETE", "/members/"+w.ids[workspace.Viewer], "").Code, 204, "remove")
	a := w.by(t, w.cookies[workspace.Admin], "GET", "/audit-log?limit=3", "")
	var page rest.Page[api.AuditEntry]
	decode(t, a, 200, &page)
	var got []string
	for _, e := range page.Data {
		got = append(got, fmt.Sprintf("%s %s %s %s", e.Actor.Kind, *e.Actor.Name, e.Action, e.Thing.Kind))
		if e.At == 0 || e.Address == nil || *e.Address != "192.0.2.1" || e.RequestID == nil {
			t.Errorf("%+v", e)
		}
	}
	if want := "person Ada remove-member member; key first key create-prompt prompt; person member create-agent agent"; strings.Join(got, "; ") != want {
		t.Fatalf("got %q", got)
	}
	if !strings.HasPrefix(*page.Data[2].Thing.ID, "agt_") || *page.Data[1].Thing.ID != "kind@1" || *page.Data[0].Thing.Name != "viewer@example.com" || page.NextCursor == nil {
		t.Errorf("%s", a.Body)
	}
	rest := w.by(t, w.cookies[workspace.Admin], "GET", "/audit-log?cursor="+*page.NextCursor, "")
	decode(t, rest, 200, &page)
	last := page.Data[len(page.Data)-1]
	if last.Action != "set-up" || *last.Actor.Name != "Ada" {
		t.Errorf("%s", rest.Body)
	}
	wantProblem(t, w.by(t, w.cookies[workspace.Admin], "GET", "/audit-log?cursor=agt_1", ""), 422, "invalid_fields", "query.cursor")
	others := w.ask(t, "GET", "/api/rest/audit-log", "", "Authorization", "Bearer "+w.other)
	wantJSON(t, others, 200, `{"data":[],"next_cursor":null}`)
	for _, text := range []string{a.Body.String(), rest.Body.String(), w.log.String()} {
		for _, never := range []string{password, "Front desk", w.first.Secret[20:], strings.SplitN(w.cookies[workspace.Owner], "=", 2)[1], "?token="} {
			if strings.Contains(text, never) {
				t.Errorf("it holds %.12s…", never)
			}
		}
	}
	wantProblem(t, w.by(t, w.cookies[workspace.Viewer], "GET", "/agents", ""), 401, "unauthenticated")
}

func TestGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	w := settle(t)
	for range 10 {
		wantProblem(t, w.post(t, "", "/session", `{"email":"ada@example.com","password":"guess"}`), 401, "unauthenticated")
	}
	a := w.post(t, "", "/session", `{"email":"ada@example.com","password":"`+password+`"}`)
	wantProblem(t, a, 429, "rate_limited")
	if a.Header().Get("Retry-After") != "30" || len(a.Result().Cookies()) != 0 {
		t.Errorf("%v", a.Header())
	}
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "GET", "/agents", "").Code, 200, "who is in stays in")
}

func TestNobodyIsInNoWorkspace(t *testing.T) {
	t.Parallel()
	w := settle(t)
	// A membership that was taken away by another process: the session lives, the workspace is closed.
	if err := w.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.DeleteMember(t.Context(), w.first.Workspace.ID, w.ids[workspace.Admin])
	}); err != nil {
		t.Fatal(err)
	}
	p := wantProblem(t, w.by(t, w.cookies[workspace.Admin], "GET", "/agents", ""), 403, "forbidden")
	if p.Detail != "you are in no workspace" {
		t.Errorf("%+v", p)
	}
	var s api.Session
	decode(t, w.by(t, w.cookies[workspace.Admin], "GET", "/session", ""), 200, &s)
	if !s.SignedIn || s.Workspace != nil || s.Role != nil || len(s.Workspaces) != 0 {
		t.Errorf("%+v", s)
	}
}

func FuzzCookies(f *testing.F) {
	f.Add("ringtrue_session=", "same-origin", "")
	f.Add("ringtrue_session="+strings.Repeat("A", 43), "cross-site", "https://evil.example")
	f.Add("ringtrue_session=a; ringtrue_session=b", "", "\x00")
	f.Fuzz(func(t *testing.T, cookie, site, origin string) {
		w := &town{clock: time.Now()}
		w.bundle = setup(t, func(o *api.Options) { w.open(t, o) })
		for _, method := range []string{"GET", "POST", "DELETE"} {
			a := w.by(t, cookie, method, "/agents/agt_1", "", "Sec-Fetch-Site", site, "Origin", origin)
			if a.Code != 401 && a.Code != 403 {
				t.Errorf("%s with %q: %d %s", method, cookie, a.Code, a.Body)
			}
		}
	})
}

// The public client and the interface mean the same by keys, people and what was done.
func TestClientSpeaksOfPeopleAndKeys(t *testing.T) {
	t.Parallel()
	w := settle(t)
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	c, ctx := client.New(server.URL, w.first.Secret), t.Context()
	made, err := c.CreateAPIKey(ctx, "nightly")
	if err != nil || made.Secret == "" || !strings.HasPrefix(made.Secret, "rt_") || made.CreatedBy == nil {
		t.Fatalf("%+v %v", made, err)
	}
	if _, err := client.New(server.URL, made.Secret).APIKeys(ctx); err != nil {
		t.Errorf("the new key does not work: %v", err)
	}
	if err := c.RevokeAPIKey(ctx, made.ID); err != nil {
		t.Fatal(err)
	}
	keys, err := c.APIKeys(ctx)
	slices.SortFunc(keys, func(a, b client.APIKey) int { return strings.Compare(a.Name, b.Name) })
	if err != nil || len(keys) != 2 || keys[1].ID != made.ID || keys[1].RevokedAt == nil || keys[0].RevokedAt != nil || keys[1].Prefix == "" {
		t.Errorf("%+v %v", keys, err)
	}
	members, err := c.Members(ctx)
	if err != nil || len(members) != 4 || members[0].Role == "" || members[0].CreatedAt == 0 {
		t.Errorf("%+v %v", members, err)
	}
	if none, err := c.Invitations(ctx, client.PageOptions{Limit: 2}); err != nil || len(none.Data) != 0 {
		t.Errorf("%+v %v", none, err)
	}
	entries, err := c.AuditLog(ctx, client.PageOptions{Limit: 1})
	if err != nil || len(entries.Data) != 1 || entries.Data[0].Action != "revoke-api-key" || entries.Data[0].Actor.Kind != "key" || *entries.Data[0].Thing.ID != made.ID || *entries.Data[0].Address != "127.0.0.1" {
		t.Errorf("%+v %v", entries, err)
	}
}
