package platform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// defaultWait is how long to wait for a platform that is asked too often and does not say how long.
const defaultWait = 30 * time.Second

// maxText is the longest id and name that is taken over, in bytes.
const maxText = 200

// entry is an agent as a platform lists it.
type entry struct {
	id, name string
	version  float64
	created  string
}

// page is what a platform answers at a time.
type page struct {
	agents []entry
	// full says that it holds as much as was asked for, so that there may be more behind it.
	full bool
	// next is the key of the page behind it, "" when there is none.
	next string
}

// parse reads a page: an array, or an object with an array in a likely place.
// What is no agent is passed over, and yet takes up room on the page.
func parse(provider string, body []byte) (page, error) {
	elements, around, ok := elementsOf(body)
	if !ok {
		return page{}, &Refused{Text: "its answer is not a list"}
	}
	out := page{full: len(elements) >= pageSize}
	if string(around["has_more"]) != "false" {
		out.next = text(around, "pagination_key")
	}
	for _, raw := range elements {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		var e entry
		if provider == A {
			e = entry{id: text(m, "agent_id"), name: text(m, "agent_name"), version: number(m, "version")}
		} else {
			e = entry{id: text(m, "id"), name: text(m, "name"), created: text(m, "createdAt")}
		}
		if e.id != "" && len(e.id) <= maxText && plain(e.id) == e.id {
			out.agents = append(out.agents, e)
		}
	}
	return out, nil
}

// elementsOf finds the array, and what it stands in.
func elementsOf(body []byte) (list []json.RawMessage, object map[string]json.RawMessage, ok bool) {
	body = bytes.TrimSpace(body)
	if err := json.Unmarshal(body, &list); err == nil && len(body) > 0 && body[0] == '[' {
		return list, nil, true
	}
	if json.Unmarshal(body, &object) != nil {
		return nil, nil, false
	}
	for _, key := range []string{"data", "agents", "assistants", "items", "results"} {
		raw := bytes.TrimSpace(object[key])
		if len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &list) == nil {
			return list, object, true
		}
	}
	return nil, nil, false
}

// text reads a string, or a number as one.
func text(m map[string]json.RawMessage, key string) string {
	var s string
	if json.Unmarshal(m[key], &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(m[key], &n) == nil {
		return n.String()
	}
	return ""
}

// number reads a number, or a string that holds one.
func number(m map[string]json.RawMessage, key string) float64 {
	n, err := strconv.ParseFloat(text(m, key), 64)
	if err != nil {
		return 0
	}
	return n
}

// plain is a text in one line, short enough to be kept.
func plain(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s))
	for len(s) > maxText {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return strings.TrimSpace(s)
}

// span is between which times the agents of a page were created, zero when none tells.
func (p page) span() (oldest, newest time.Time) {
	for _, e := range p.agents {
		t, err := time.Parse(time.RFC3339, e.created)
		if err != nil {
			continue
		}
		if oldest.IsZero() || t.Before(oldest) {
			oldest = t
		}
		if t.After(newest) {
			newest = t
		}
	}
	return oldest, newest
}

// moment is the unit in which platforms tell when an agent was created.
const moment = time.Millisecond

// before is up to when the agents behind a page were created, itself left out; zero
// when that cannot be told. Others that were made in the same moment as the page's
// oldest may lie behind it, so that moment is asked for again, unless it fills the page.
func (p page) before() time.Time {
	oldest, newest := p.span()
	if oldest.IsZero() {
		return oldest
	}
	oldest = oldest.Truncate(moment)
	if again := oldest.Add(moment); !newest.Before(again) {
		return again
	}
	return oldest
}

// listing keeps the newest version of each agent, in the order of their first appearance.
type listing struct {
	agents map[string]entry
	order  []string
}

func newListing() *listing { return &listing{agents: map[string]entry{}} }

// add takes the agents of a page and says whether there was anything new among them.
func (l *listing) add(entries []entry) (fresh bool) {
	for _, e := range entries {
		kept, ok := l.agents[e.id]
		if !ok && len(l.order) >= maxAgents {
			continue
		}
		if !ok {
			fresh = true
			l.order = append(l.order, e.id)
		}
		if !ok || e.version > kept.version {
			l.agents[e.id] = e
		}
	}
	return fresh
}

func (l *listing) result() []scenario.Agent {
	out := make([]scenario.Agent, 0, len(l.order))
	for _, id := range l.order {
		e := l.agents[id]
		name := plain(e.name)
		if name == "" {
			name = id
		}
		out = append(out, scenario.Agent{SourceID: id, Name: name})
	}
	return slices.Clip(out)
}
