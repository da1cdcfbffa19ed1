package app

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/live"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/oidc"
	"github.com/ringtrue/ringtrue/internal/platform"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/blob"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// RecordingsDir is the folder of the recordings inside Options.Data.
const RecordingsDir = "recordings"

// parts are the concrete things of a service and the services over them.
type parts struct {
	steady     func() time.Time
	engine     store.Engine
	store      *store.Store
	recordings blob.Bucket
	line       *sip.Line
	rooms      *mediaRooms // nil without a media server
	roomLine   *room.Line
	// mediaServer names the media server when it is this process's alone.
	mediaServer string
	speech      *speech.Engines
	cast        *casting

	workspaces  *workspace.Service
	people      *people.Service
	auditLog    *audit.Log
	identity    *oidc.Provider // nil where people have passwords alone
	catalog     *catalog.Service
	archive     *archive.Service
	views       *savedview.Service
	prices      *price.Service
	callLogs    *calllog.Service
	experiments *experiment.Service
	reviews     *review.Service
	feelings    *emotion.Model
	monitor     *monitor.Service
	credentials *credential.Service
	platforms   *platform.Service
	outside     outside
	live        live.Hub
}

// build makes everything, lowest tier first. What it opens is pushed on undo.
func build(ctx context.Context, o Options, undo *cleanups) (*parts, error) {
	p := &parts{steady: steady(o.Now())}
	var err error
	if p.store, p.engine, err = openStore(ctx, o, p.steady, undo); err != nil {
		return nil, err
	}
	if p.recordings, err = blob.Open(filepath.Join(o.Data, RecordingsDir)); err != nil {
		return nil, err
	}
	undo.push("recordings", func(context.Context) error { return p.recordings.Close() })
	if err = writable(filepath.Join(o.Data, RecordingsDir)); err != nil {
		return nil, err
	}
	if o.Speech.Gate == nil {
		o.Speech.Gate = p.gate
	}
	if p.speech, err = speech.New(o.Speech); err != nil {
		return nil, err
	}
	p.speech.Sweep()
	options, err := lineOptions(o)
	if err != nil {
		return nil, err
	}
	options.Now = p.steady
	if p.line, err = openLine(options, o.SIPBind); err != nil {
		return nil, err
	}
	undo.push("telephone line", func(context.Context) error { p.line.Close(); return nil })
	if err := p.buildRooms(o, undo); err != nil {
		return nil, err
	}
	p.cast = &casting{speech: p.speech, lines: caller.NewCache(0)}
	p.workspaces, p.auditLog = newWorkspaces(p.store, o), newAuditLog(p.store)
	if p.people, err = newPeople(p.store, o); err != nil {
		return nil, err
	}
	p.archive = archive.New(archive.Options{Store: store.As[archive.Tx](p.store), Recordings: p.recordings, Now: o.Now})
	p.views = savedview.New(savedview.Options{Store: store.As[savedview.Tx](p.store), NewID: store.NewID, Now: o.Now})
	p.prices = price.New(store.As[price.Tx](p.store))
	p.catalog = p.newCatalog(o)
	if err = p.buildOutside(ctx, o, undo); err != nil {
		return nil, err
	}
	if p.callLogs, err = p.newCallLogs(o); err != nil {
		return nil, err
	}
	p.experiments = p.newExperiments(o)
	p.rooms.tellOfKnocks(p.experiments.Knock)
	p.monitor = monitor.New(monitor.Options{Store: store.As[monitor.Tx](p.store), Now: o.Now, Log: o.Log})
	if p.feelings, err = emotion.New(); err != nil {
		return nil, fmt.Errorf("read the model of feelings: %w", err)
	}
	p.reviews = p.newReviews(o)
	return p, nil
}

// openStore opens the database that o names, with the means to add jobs.
func openStore(ctx context.Context, o Options, steady func() time.Time, undo *cleanups) (*store.Store, store.Engine, error) {
	engine, err := openEngine(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	undo.push("database", func(context.Context) error { return engine.Close() })
	jobs, err := queue.NewEnqueuer(engine, steady)
	if err != nil {
		return nil, nil, err
	}
	s := store.New(engine, jobs, o.Now)
	s.Tell(o.databaseTold())
	return s, engine, nil
}

func openEngine(ctx context.Context, o Options) (store.Engine, error) {
	if o.Database != "" {
		return postgres.OpenTelling(ctx, o.Database, o.tell)
	}
	if err := dataFolder(o.Data); err != nil {
		return nil, err
	}
	return sqlite.OpenTelling(ctx, databasePath(o.Data), o.tell)
}

func newWorkspaces(s *store.Store, o Options) *workspace.Service {
	return workspace.New(workspace.Options{
		Store: store.As[workspace.Tx](s), NewID: store.NewID, Now: o.Now, Random: rand.Reader,
	})
}

// seed draws a seed for an experiment.
func seed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.NativeEndian.Uint64(b[:]) >> 1
}
