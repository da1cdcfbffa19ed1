package sqlite

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"modernc.org/libc"
)

// model is what is to be found in pages, by their numbers.
type model struct {
	t     *testing.T
	c     *pages
	tls   *libc.TLS
	inUse map[uint32]uintptr
	idle  map[uint32]bool // those that may have gone
}

func newModel(t *testing.T, most int32) *model {
	t.Helper()
	tls := libc.NewTLS()
	address := newPages(tls, 512, 64, 1)
	if address == 0 {
		t.Fatal("no memory")
	}
	t.Cleanup(func() { freePages(tls, address); tls.Close() })
	c := at[pages](address)
	c.limit(tls, uint32(most))
	return &model{t: t, c: c, tls: tls, inUse: map[uint32]uintptr{}, idle: map[uint32]bool{}}
}

// content is what the test writes into a page.
func content(page uintptr) *uint32 { return at[uint32](pageAt(page).FpBuf) }

func (m *model) fetch(number uint32, create int32) {
	page := m.c.fetch(m.tls, number, create)
	if used, ok := m.inUse[number]; ok && page != used {
		m.t.Fatalf("page %d in use is another one", number)
	}
	if page == 0 {
		if create == 2 {
			m.t.Fatalf("page %d was not made", number)
		}
		return
	}
	isNew := *at[uintptr](pageAt(page).FpExtra) == 0
	switch {
	case isNew && (create == 0 || m.inUse[number] != 0):
		m.t.Fatalf("page %d is new", number)
	case !isNew && (*content(page) != number || m.inUse[number] == 0 && !m.idle[number]):
		m.t.Fatalf("page %d is there and holds %d", number, *content(page))
	}
	*at[uintptr](pageAt(page).FpExtra) = 1
	*content(page) = number
	m.inUse[number] = page
	delete(m.idle, number)
}

func (m *model) unpin(number uint32, discard bool) {
	m.c.unpin(m.tls, m.inUse[number], discard)
	delete(m.inUse, number)
	m.idle[number] = !discard
}

func (m *model) rekey(from, to uint32) {
	m.c.rekey(m.tls, m.inUse[from], to)
	*content(m.inUse[from]) = to
	m.inUse[to] = m.inUse[from]
	delete(m.inUse, from)
	delete(m.idle, to)
}

func (m *model) truncate(from uint32) {
	m.c.truncate(m.tls, from)
	for number := range m.inUse {
		if number >= from {
			delete(m.inUse, number)
		}
	}
	for number := range m.idle {
		if number >= from {
			delete(m.idle, number)
		}
	}
}

// check compares everything that there is.
func (m *model) check() {
	all := uint32(0)
	for i := range m.c.width {
		for page := *m.c.place(i); page != 0; page = pageAt(page).chained {
			number := pageAt(page).number
			if _, used := m.inUse[number]; !used && !m.idle[number] || number > m.c.high {
				m.t.Fatalf("page %d is there, none is above %d", number, m.c.high)
			}
			all++
		}
	}
	if int(all-m.c.idle) != len(m.inUse) || all != m.c.count {
		m.t.Fatalf("%d pages of which %d are idle; %d are in use", all, m.c.idle, len(m.inUse))
	}
	seen := uint32(0)
	for page := m.c.first; page != 0; page = pageAt(page).after {
		seen++
	}
	if seen != m.c.idle {
		m.t.Fatalf("%d pages in the list of %d", seen, m.c.idle)
	}
	if most := max(m.c.most, uint32(len(m.inUse))+1); all > most {
		m.t.Fatalf("%d pages, of at most %d", all, most)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		m := newModel(t, 300)
		used := func() (uint32, bool) {
			for number := range m.inUse {
				return number, true
			}
			return 0, false
		}
		for range 20_000 {
			number, ok := used()
			switch what := random.IntN(1000); {
			case what < 500:
				m.fetch(1+random.Uint32N(2000), int32(random.IntN(3)))
			case what < 960 && ok:
				m.unpin(number, random.IntN(20) == 0)
			case what < 995 && ok: // as SQLite puts two pages in order
				free := 1 + random.Uint32N(2000)
				if _, taken := m.inUse[free]; !taken {
					m.rekey(number, 262_145)
					m.rekey(262_145, free)
				}
			case what < 998:
				m.truncate(2001 + random.Uint32N(5))
			case what == 998:
				m.truncate(1 + random.Uint32N(2000))
			default:
				m.c.limitTo(m.tls, 0)
				clear(m.idle)
			}
			if random.IntN(100) == 0 {
				m.check()
			}
		}
		m.check()
	}
}

// After pages have changed places nothing is looked for beyond the last one.
func TestPagesThatChangePlaces(t *testing.T) {
	t.Parallel()
	m := newModel(t, 100)
	for number := range uint32(50) {
		m.fetch(number+1, 2)
	}
	m.rekey(7, 262_145)
	m.rekey(20, 7)
	m.rekey(262_145, 20)
	if m.check(); m.c.high != 50 {
		t.Errorf("there are said to be pages up to %d", m.c.high)
	}
}

// Connections that keep few pages write and read at the same time, without a lock
// of their own, and the file is whole afterwards.
func TestConnectionsWithFewPages(t *testing.T) {
	t.Parallel()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	run := func(text string, args ...any) {
		if _, err := e.writer.ExecContext(t.Context(), text, args...); err != nil {
			t.Error(err)
		}
	}
	run(`PRAGMA cache_size(20)`)
	run(`CREATE TABLE things (name TEXT PRIMARY KEY, weight TEXT) WITHOUT ROWID`)
	run(`CREATE INDEX things_weight ON things (weight, name)`)
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 150 {
				run(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10)
					INSERT INTO things SELECT $1 || hex(randomblob(20)), hex(randomblob(100)) FROM n`, fmt.Sprint(k, "-", i, "-"))
				if i%10 == 0 {
					run(`DELETE FROM things WHERE weight < '08'`)
				}
			}
		})
		all.Go(func() {
			for range 150 {
				var n, m int
				if err := e.readers.QueryRowContext(t.Context(), `SELECT count(*), count(DISTINCT weight || name) FROM things`).Scan(&n, &m); err != nil || n != m {
					t.Errorf("%d things, %d of them different: %v", n, m, err)
				}
			}
		})
	}
	all.Wait()
	var found string
	if err := e.writer.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&found); err != nil || found != "ok" {
		t.Errorf("the file: %s, %v", found, err)
	}
}
