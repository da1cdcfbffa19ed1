package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// history is what was done to a file at random: in tables of each form, with
// indices of their words, rows of many sizes come, change and go in no order.
type history struct {
	rng  *rand.Rand
	db   *sql.DB
	kept map[int]string // by row, the mark that it is full of
	rows []int          // those that are there
	gone []string
	next int
}

var forms = []string{ //nolint:gochecknoglobals // as good as constant
	`CREATE TABLE plain (id INTEGER PRIMARY KEY, words TEXT)`, `CREATE INDEX plain_words ON plain (words)`,
	`CREATE TABLE named (id TEXT PRIMARY KEY, words TEXT)`,
	`CREATE TABLE packed (id TEXT PRIMARY KEY, words TEXT) WITHOUT ROWID`,
}

var tables = []string{"plain", "named", "packed"} //nolint:gochecknoglobals // as good as constant

func newHistory(t *testing.T, e *sqlite.Engine, seed uint64) *history {
	t.Helper()
	h := &history{rng: rand.New(rand.NewPCG(seed, 0)), db: e.DB(), kept: map[int]string{}}
	for _, text := range forms {
		if _, err := h.db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// key is that of a row in its table, so that those that follow each other lie far apart.
func key(row int) any {
	n := uint32(row) * 2654435761 //nolint:gosec // a hash
	if tables[row%len(tables)] == "plain" {
		return int64(n)
	}
	return fmt.Sprintf("key-%08x", n)
}

// words are some text, long or short, in which the mark stands again and again.
func (h *history) words(mark string) string {
	size := 30 + h.rng.IntN(600)
	switch h.rng.IntN(20) {
	case 0:
		size += h.rng.IntN(20_000) // it goes on on pages of its own
	case 1, 2, 3:
		size += h.rng.IntN(2000)
	}
	return strings.Repeat(mark+" ", 1+size/len(mark))
}

// goOn has some more transactions, each of which does this and that.
func (h *history) goOn(ctx context.Context, transactions int) error {
	for range transactions {
		tx, err := h.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		for range 1 + h.rng.IntN(60) {
			if err := h.step(ctx, tx); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

func (h *history) step(ctx context.Context, tx *sql.Tx) error {
	mark := fmt.Sprintf("mark-%016x", h.rng.Uint64())
	var row int
	var text string
	var args []any
	switch what := h.rng.IntN(10); {
	case what < 5 || len(h.rows) == 0:
		row, h.next = h.next, h.next+1
		h.rows = append(h.rows, row)
		h.kept[row] = mark
		text, args = `INSERT INTO %s (id, words) VALUES ($1, $2)`, []any{key(row), h.words(mark)}
	case what < 8:
		row = h.rows[h.rng.IntN(len(h.rows))]
		h.gone = append(h.gone, h.kept[row])
		h.kept[row] = mark
		text, args = `UPDATE %s SET words = $1 WHERE id = $2`, []any{h.words(mark), key(row)}
	default:
		at := h.rng.IntN(len(h.rows))
		row = h.rows[at]
		h.rows = slices.Delete(h.rows, at, at+1)
		h.gone = append(h.gone, h.kept[row])
		delete(h.kept, row)
		text, args = `DELETE FROM %s WHERE id = $1`, []any{key(row)}
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf(text, tables[row%len(tables)]), args...)
	return err
}

// marksOf are the marks in the bytes of all files of the folder.
func marksOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	marks := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, mark := range regexp.MustCompile(`mark-[0-9a-f]{16}`).FindAll(data, -1) {
			marks[string(mark)] = true
		}
	}
	return marks
}

// left are those of what was erased that the files still have.
func (h *history) left(t *testing.T, folder string) (left []string) {
	t.Helper()
	marks := marksOf(t, folder)
	for _, mark := range h.gone {
		if marks[mark] {
			left = append(left, mark)
		}
	}
	return left
}

// intact looks whether the file is whole and has every row that it should have.
func (h *history) intact(t *testing.T) {
	t.Helper()
	var whole string
	if err := h.db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&whole); err != nil || whole != "ok" {
		t.Fatal(whole, err)
	}
	rows := 0
	for _, table := range tables {
		var n int
		if err := h.db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		rows += n
	}
	if rows != len(h.kept) {
		t.Errorf("%d rows, of %d", rows, len(h.kept))
	}
	for row, mark := range h.kept {
		var words string
		if err := h.db.QueryRowContext(t.Context(), `SELECT words FROM `+tables[row%len(tables)]+` WHERE id = $1`, key(row)).Scan(&words); err != nil {
			t.Fatal(err)
		}
		if strings.Trim(strings.ReplaceAll(words, mark, ""), " ") != "" {
			t.Errorf("row %d of %s has become something else", row, mark)
		}
	}
}

// emptied is the log brought into the file and cut off, and nothing else.
func emptied(t *testing.T, db *sql.DB) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
}

// TestScrubLeavesNothing has rows of all kinds come and go, and looks for what is
// left of those that are gone in the bytes of the files.
func TestScrubLeavesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			e := open(t, filepath.Join(folder, "ringtrue.db"))
			h := newHistory(t, e, seed)
			before := 0
			for range 3 {
				must(t, h.goOn(t.Context(), 60))
				emptied(t, h.db)
				before += len(h.left(t, folder))
				must(t, e.Scrub(t.Context()))
				if left := h.left(t, folder); len(left) > 0 {
					t.Errorf("%d of %d are still there, such as %s", len(left), len(h.gone), left[0])
				}
				h.intact(t)
			}
			if before == 0 {
				t.Error("the test is blind: SQLite has left nothing")
			}
		})
	}
}

// TestScrubBesideOthers has the pages gone over again and again while others write
// and read, and looks once more when they are done.
func TestScrubBesideOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "ringtrue.db")
	e := open(t, path)
	h := newHistory(t, e, 7)
	must(t, h.goOn(t.Context(), 60))
	written := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		defer close(written)
		if err := h.goOn(t.Context(), 120); err != nil {
			t.Error(err)
		}
	})
	again := func(do func() error) {
		all.Go(func() {
			for {
				select {
				case <-written:
					return
				default:
				}
				if err := do(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	again(func() error { return e.Scrub(t.Context()) })
	again(func() error { return wordsAgree(t.Context(), e) })
	all.Wait()
	must(t, e.Scrub(t.Context()))
	if left := h.left(t, folder); len(left) > 0 {
		t.Errorf("%d of %d are still there", len(left), len(h.gone))
	}
	h.intact(t)
}

// wordsAgree reads all rows at one time: each has the mark of one change alone, all over.
func wordsAgree(ctx context.Context, e *sqlite.Engine) (err error) {
	conn, err := e.Begin(ctx, false)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Rollback() }()
	rows, err := conn.Query(ctx, `SELECT words FROM plain UNION ALL SELECT words FROM named UNION ALL SELECT words FROM packed`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var words string
		if err := rows.Scan(&words); err != nil {
			return err
		}
		if mark, _, _ := strings.Cut(words, " "); strings.Trim(strings.ReplaceAll(words, mark, ""), " ") != "" {
			return fmt.Errorf("a row of %s has become something else", mark)
		}
	}
	return rows.Err()
}

// TestScrubRefusesOtherForms has a file in which other pages begin like those of a tree.
func TestScrubRefusesOtherForms(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	e := open(t, path)
	h := newHistory(t, e, 13)
	must(t, h.goOn(t.Context(), 20))
	for _, text := range []string{`PRAGMA auto_vacuum = 1`, `VACUUM`} {
		_, err := h.db.ExecContext(t.Context(), text)
		must(t, err)
	}
	if err := e.Scrub(t.Context()); !problem.Is(err, problem.Conflict) || problem.As(err).Hint == "" {
		t.Error(err)
	}
	h.intact(t)
}

// TestKilledScrub kills a process that goes over the pages at one time or another:
// nothing is lost, and the next one finds what is left.
func TestKilledScrub(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "ringtrue.db")
	e := open(t, path)
	h := newHistory(t, e, 11)
	must(t, h.goOn(t.Context(), 200))
	must(t, e.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	killed := 0
	for n := range 4 {
		folder := t.TempDir()
		path := filepath.Join(folder, "ringtrue.db")
		must(t, os.WriteFile(path, before, 0o600))
		if killScrub(t, path, time.Duration(n)*25*time.Millisecond) {
			killed++
		}
		e := open(t, path)
		h.db = e.DB()
		h.intact(t)
		must(t, e.Scrub(t.Context()))
		if left := h.left(t, folder); len(left) > 0 {
			t.Errorf("%d of %d are still there", len(left), len(h.gone))
		}
		h.intact(t)
	}
	if killed == 0 {
		t.Error("the process was always done before it was killed")
	}
}

// killScrub runs this test binary as a process that goes over the pages, and kills
// it some time after it has begun. It says whether it was not done.
func killScrub(t *testing.T, path string, after time.Duration) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestScrubUntilKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "RINGTRUE_TEST_SCRUB="+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	done := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch lines.Text() {
		case "begins":
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		case "done":
			done = true
		}
	}
	_ = cmd.Wait()
	return !done
}

func TestScrubUntilKilled(t *testing.T) {
	path := os.Getenv("RINGTRUE_TEST_SCRUB")
	if path == "" {
		t.Skip("the other process of TestKilledScrub")
	}
	e := open(t, path)
	fmt.Println("begins")
	must(t, e.Scrub(t.Context()))
	fmt.Println("done")
}
