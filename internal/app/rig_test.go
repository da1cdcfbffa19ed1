package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// rig is a whole service over a real database, with two workspaces that each
// hold one of everything, to be treated badly.
type rig struct {
	app    *App
	addr   string // host:port of the REST interface
	mine   tenant
	theirs tenant
	log    *logBook
	db     *sql.DB
	tables string // the query for the names of all tables
	// far is the trunk's far end; it is busy.
	far *farEnd
}

// tenant is a workspace with one of everything.
type tenant struct {
	id, key string
	api     *client.Client
	agent   string
	dataset string
	item    string
	slug    string // of a prompt and of a scorer
	run     string
	call    string
	replay  string
	source  string
	// credential is a recording credential's id.
	credential string
	// person owns the workspace, cookie is what their browser holds; invitation and
	// keyID are ids.
	person, cookie, invitation, keyID string
	// signedIn has requests made in the name of the person instead of the key.
	signedIn bool
	view     string
}

// planted stands in for what callers say and clients send: it is never to be
// found in a log.
const planted = "plantedword"

// newRig starts a service. Its one call in each workspace was busy.
func newRig(t *testing.T, change ...func(*Options)) *rig {
	t.Helper()
	ctx := t.Context()
	r := &rig{log: &logBook{}}
	r.far = newFarEnd(t, func(c *farEndCall) { c.reply(c.invite, 486, "Busy Here", "") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	o := Options{
		Data: t.TempDir(), Listener: listener, Speech: speech.Options{}, Log: slog.New(slog.NewTextHandler(r.log, nil)), Now: time.Now,
		Trunks: []sip.Trunk{{Name: "far", Host: r.far.addr(), Transport: sip.UDP, From: "+15550100", User: "me", Password: "trunk-password"}},
	}
	for _, c := range change {
		c(&o)
	}
	r.app, err = New(ctx, o)
	must(t, err)
	must(t, r.app.Start(ctx))
	t.Cleanup(func() { r.stop(t) })
	r.addr = listener.Addr().String()
	r.open(t, o.Database)
	first, err := r.app.parts.workspaces.Workspaces(ctx)
	must(t, err)
	other, err := r.app.parts.workspaces.CreateWithKey(ctx, "other")
	must(t, err)
	r.mine = r.fill(t, first[0].ID, r.app.FirstKey(), "mine")
	r.theirs = r.fill(t, other.Workspace.ID, other.Secret, "theirs")
	return r
}

// open looks into the database past the service.
func (r *rig) open(t *testing.T, database string) {
	t.Helper()
	if engine, ok := r.app.parts.engine.(*sqlite.Engine); ok {
		r.db, r.tables = engine.DB(), `SELECT name FROM sqlite_master WHERE type = 'table'`
		return
	}
	db, err := sql.Open("pgx", database)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	r.db, r.tables = db, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
}

// onPostgres keeps the service's things in PostgreSQL.
func onPostgres(t *testing.T) func(*Options) {
	return func(o *Options) { o.Database = pgtest.Database(t) }
}

func (r *rig) stop(t *testing.T) {
	if r.app == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.app.Stop(ctx); err != nil {
		t.Errorf("stop the service: %v", err)
	}
	r.far.stop()
	r.app = nil
}

const oneItem = `
- key: one
  input: {script: [wait_for_agent, hang_up]}
  output: {timing: {duration_max_ms: 60000}}
`

// fill makes one of everything in a workspace.
func (r *rig) fill(t *testing.T, id, key, name string) tenant {
	t.Helper()
	ctx := t.Context()
	w := tenant{id: id, key: key, slug: name, source: "source-" + name, api: client.New("http://"+r.addr, key, client.WithRetries(0))}
	kept, err := w.api.CreateRecordingCredential(ctx, client.NewRecordingCredential{Host: name + ".example.com", Header: "X-Key", Value: "unused"})
	must(t, err)
	w.credential = kept.ID
	r.admit(t, &w, name)
	view, err := w.api.CreateSavedView(ctx, client.NewSavedView{Page: "calls", Name: name, Query: "verdict=failed"})
	must(t, err)
	w.view = view.ID
	_, err = w.api.CreatePrompt(ctx, client.NewPrompt{Slug: name, Text: "Be kind."})
	must(t, err)
	_, err = w.api.CreateScorer(ctx, client.NewScorer{Slug: name, Kind: "say", Params: json.RawMessage(`{"phrase":"hello"}`)})
	must(t, err)
	agent, err := w.api.CreateAgent(ctx, client.NewAgent{Name: name, SourceID: w.source})
	must(t, err)
	dataset, err := w.api.CreateDataset(ctx, client.NewDataset{Name: name})
	must(t, err)
	_, err = w.api.ImportItems(ctx, dataset.ID, client.Import{Format: "yaml", Data: []byte(oneItem)})
	must(t, err)
	items, err := w.api.Items(ctx, dataset.ID, 0, client.PageOptions{})
	must(t, err)
	run, err := w.api.Run(ctx, agent.ID, client.RunRequest{ToNumber: "+15550123", DatasetID: dataset.ID})
	must(t, err)
	_, err = w.api.WaitFinished(ctx, run.VoiceExperimentID, nil)
	must(t, err)
	calls, err := w.api.RunCalls(ctx, run.VoiceExperimentID)
	must(t, err)
	replay, err := w.api.StartReplay(ctx, client.ReplayScope{Origin: "production"})
	must(t, err)
	replay, err = w.api.WaitReplay(ctx, replay.ID, nil)
	must(t, err)
	w.replay = replay.ID
	w.agent, w.dataset, w.item, w.run, w.call = agent.ID, dataset.ID, items.Data[0].ID, run.VoiceExperimentID, calls[0].ID
	return w
}

// admit makes the owner of a workspace and signs them in.
func (r *rig) admit(t *testing.T, w *tenant, name string) {
	t.Helper()
	ctx, all := t.Context(), r.app.parts.people
	p, err := all.Newcomer(ctx, w.id, name, name+"@example.com")
	must(t, err)
	token, err := all.Link(ctx, p.ID)
	must(t, err)
	opened, err := all.SignInByLink(ctx, token, "127.0.0.1")
	must(t, err)
	invited, _, err := all.Invite(ctx, opened.Identity, "guest-of-"+name+"@example.com", workspace.Viewer)
	must(t, err)
	keys, err := r.app.parts.workspaces.Keys(ctx, w.id)
	must(t, err)
	_, port, err := net.SplitHostPort(r.addr)
	must(t, err)
	w.person, w.cookie, w.invitation, w.keyID = p.ID, "ringtrue_session_"+port+"="+opened.Token, invited.ID, keys[0].ID
}

// sign says in whose name a request is made.
// state is a fingerprint of every table whose rows a request can write, jobs included.
func (r *rig) state(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, table := range r.names(t, r.tables) {
		what, from := "*", table
		switch {
		case table == "gates":
			from += " WHERE next_at <> 0" // the others are nothing but locks, which housekeeping takes too
		case table == "river_job":
			what = "id, kind, args"
		case table == "api_keys":
			what = "id, revoked_at"
		case table == "sessions":
			what = "sha256, workspace_id"
		case table == "commits", table == "queue_processes": // written by the service's own housekeeping too
			continue
		case table == "monitor_marks", table == "monitor_rolls", table == "monitor_weeks", table == "monitor_texts", table == "monitor_reports": // so are these
			continue
		case strings.HasPrefix(table, "river_"), strings.HasPrefix(table, "sqlite_"), strings.HasPrefix(table, "goose"):
			continue
		}
		out[table] = r.fingerprint(t, from, what)
	}
	return out
}

func (r *rig) fingerprint(t *testing.T, table, what string) string {
	t.Helper()
	rows, err := r.db.QueryContext(t.Context(), "SELECT "+what+" FROM "+table+" ORDER BY 1, 2")
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	sum, n := sha256.New(), 0
	for ; rows.Next(); n++ {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = new(any)
		}
		must(t, rows.Scan(row...))
		for _, v := range row {
			fmt.Fprintf(sum, "%v\x00", *v.(*any))
		}
	}
	must(t, rows.Err())
	return fmt.Sprintf("%d rows %x", n, sum.Sum(nil)[:8])
}

func (r *rig) names(t *testing.T, query string) (list []string) {
	t.Helper()
	rows, err := r.db.QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		list = append(list, name)
	}
	must(t, rows.Err())
	return list
}

// untouched runs do and checks afterwards that nothing has happened: no row, no
// job, no call, and nothing in the log that does not belong there.
func (r *rig) untouched(t *testing.T, do func()) {
	t.Helper()
	before, rang := r.state(t), r.far.count("INVITE")
	do()
	after := r.state(t)
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if before[table] != after[table] {
			t.Errorf("the table %s was changed: %s, then %s", table, before[table], after[table])
		}
	}
	if n := r.far.count("INVITE") - rang; n != 0 {
		t.Errorf("%d calls were placed", n)
	}
	r.checkLog(t)
}

// checkLog looks for what a log must never hold, and for faults of ours.
func (r *rig) checkLog(t *testing.T) {
	t.Helper()
	text := r.log.String()
	for name, never := range map[string]string{
		"a key": r.mine.key, "another key": r.theirs.key, "a trunk's password": "trunk-password", "what a client sent": planted,
		"a panic": "panicked", "an error": "level=ERROR",
	} {
		if i := strings.Index(text, never); i >= 0 {
			t.Errorf("the log holds %s: %.400s", name, text[max(0, i-200):])
		}
	}
}

// logBook is a log that can be read while it is written.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
