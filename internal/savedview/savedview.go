// Package savedview keeps the views that people save of a page of the web app:
// the query that narrows the page, under a name, for themselves or for everybody
// in the workspace. Package store keeps the rows, package api shows them; what a
// query means only the page knows.
package savedview

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// View is a narrowed page under a name.
type View struct {
	ID          string
	WorkspaceID string
	// PersonID is whose it is, "" for one that was made with a key or is shared by somebody
	// who has been forgotten since.
	PersonID string
	// Page names the page ("calls", "monitor/trends"), Query is what stands behind
	// the ? of its address.
	Page, Name, Query string
	// Shared views are everybody's in the workspace to see.
	Shared    bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Store gives transactions. Write commits when f returns nil.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	InsertView(ctx context.Context, v View) error
	// ViewByID returns problem.Missing for a view of another workspace. A transaction that
	// writes holds the row until it ends.
	ViewByID(ctx context.Context, workspaceID, id string) (View, error)
	// Views lists those that are shared or the person's, newest first after the
	// cursor (an id, "" from the start); page "" is any.
	Views(ctx context.Context, workspaceID, personID, page string, limit int, cursor string) ([]View, error)
	// CountViews counts the views of a person, or those made with keys for "".
	CountViews(ctx context.Context, workspaceID, personID string) (int, error)
	// UpdateView writes name, query, shared and the time of the update.
	UpdateView(ctx context.Context, v View) error
	DeleteView(ctx context.Context, workspaceID, id string) error
}

// Options are what a Service stands on; all fields are needed.
type Options struct {
	Store Store
	NewID func(prefix string) string
	Now   func() time.Time
}

// Service keeps views. Asker says who wants something; what may not be seen is
// problem.Missing.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// Asker is who wants something: PersonID is "" for a key. MayShare says that it may
// change what others see.
type Asker struct {
	WorkspaceID, PersonID string
	MayShare              bool
}

// Input is a new view. Shared is nil where nothing is said: a key's are shared, a
// person's are not.
type Input struct {
	Page, Name, Query string
	Shared            *bool
}

// Patch changes a view; nil stays as it is.
type Patch struct {
	Name, Query *string
	Shared      *bool
}

// The bounds of a view, in characters, and how many one person keeps.
const (
	maxName  = 200
	maxQuery = 4000
	maxViews = 500
)

// Views lists what the asker may see, newest first; of "" is any page of the web app. next is the
// cursor of the next page, "" after the last.
func (s *Service) Views(ctx context.Context, who Asker, of string, limit int, cursor string) (list []View, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID(prefix))
	if err != nil {
		return nil, "", err
	}
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.Views(ctx, who.WorkspaceID, who.PersonID, of, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(v *View) string { return v.ID })
	return list, next, nil
}

const prefix = "view"

// View returns one that the asker may see.
func (s *Service) View(ctx context.Context, who Asker, id string) (v View, err error) {
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		v, err = seen(ctx, tx, who, id)
		return err
	})
	return v, err
}

// Create keeps a view for the asker.
func (s *Service) Create(ctx context.Context, who Asker, in Input) (View, error) {
	now := s.o.Now()
	v := View{
		ID: s.o.NewID(prefix), WorkspaceID: who.WorkspaceID, PersonID: who.PersonID, Page: in.Page, Name: in.Name, Query: in.Query,
		Shared: who.PersonID == "", CreatedAt: now, UpdatedAt: now,
	}
	if in.Shared != nil {
		v.Shared = *in.Shared
	}
	if err := v.check(); err != nil {
		return View{}, err
	}
	if v.Shared && !who.MayShare {
		return View{}, mayNotShare()
	}
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		n, err := tx.CountViews(ctx, who.WorkspaceID, who.PersonID)
		if err != nil {
			return err
		}
		if n >= maxViews {
			return problem.New(problem.Conflict, "there are %d saved views already", n).WithHint("delete some that nobody uses")
		}
		return tx.InsertView(ctx, v)
	})
	if err != nil {
		return View{}, err
	}
	return v, nil
}

// Update changes a view that the asker may change.
func (s *Service) Update(ctx context.Context, who Asker, id string, p Patch) (v View, err error) {
	err = s.o.Store.Write(ctx, func(tx Tx) error {
		if v, err = owned(ctx, tx, who, id); err != nil {
			return err
		}
		set(&v.Name, p.Name)
		set(&v.Query, p.Query)
		set(&v.Shared, p.Shared)
		if v.Shared && !who.MayShare {
			return mayNotShare()
		}
		v.UpdatedAt = s.o.Now()
		if err := v.check(); err != nil {
			return err
		}
		return tx.UpdateView(ctx, v)
	})
	if err != nil {
		return View{}, err
	}
	return v, nil
}

// Delete removes a view that the asker may change.
func (s *Service) Delete(ctx context.Context, who Asker, id string) error {
	return s.o.Store.Write(ctx, func(tx Tx) error {
		if _, err := owned(ctx, tx, who, id); err != nil {
			return err
		}
		return tx.DeleteView(ctx, who.WorkspaceID, id)
	})
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// seen is a view that the asker may see: a shared one, or its own.
func seen(ctx context.Context, tx Tx, who Asker, id string) (View, error) {
	v, err := tx.ViewByID(ctx, who.WorkspaceID, id)
	if err == nil && !v.Shared && (v.PersonID != who.PersonID || v.PersonID == "") {
		err = problem.Missing("saved view", id)
	}
	return v, err
}

// owned is a view that the asker may change: its own, a key's, and with a key
// every shared one.
func owned(ctx context.Context, tx Tx, who Asker, id string) (View, error) {
	v, err := seen(ctx, tx, who, id)
	switch {
	case err != nil || v.PersonID == who.PersonID && v.PersonID != "":
	case !who.MayShare, v.PersonID != "" && who.PersonID != "":
		err = problem.New(problem.Forbidden, "this view is not yours").WithHint("save one of your own")
	}
	return v, err
}

func mayNotShare() error {
	return problem.New(problem.Forbidden, "sharing a view needs the role member or higher").WithHint("save it for yourself")
}

var pagePattern = regexp.MustCompile(`^[a-z][a-z0-9-]*(/[a-z][a-z0-9-]*){0,3}$`)

// check names everything that is wrong with a view.
func (v View) check() error {
	var fields []problem.Field
	add := func(path, message string) { fields = append(fields, problem.Field{Path: path, Message: message}) }
	if len(v.Page) > 64 || !pagePattern.MatchString(v.Page) {
		add("page", `must name a page, such as "calls" or "monitor/trends"`)
	}
	switch {
	case problem.Unseen(v.Name):
		add("name", "must not be empty")
	case !plain(v.Name, maxName):
		add("name", "must be one line of at most 200 characters")
	}
	if !plain(v.Query, maxQuery) {
		add("query", "must be one line of at most 4000 characters")
	}
	if v.PersonID == "" && !v.Shared {
		add("shared", "must be true with an API key: only people have views of their own")
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

func plain(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unicode.IsControl)
}
