package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

const (
	// archived is how many calls have a recording to be fetched, remembered how
	// many have none: they make a review of history long enough to be killed in.
	archived, remembered = 8, 90
	// historyBegan is when the first of them began, in ms.
	historyBegan = 1_760_000_000_000
	// delivered is how many recordings arrive before the service is killed; the others
	// are fetched at the same time.
	delivered = 3
)

// TestKilledInHistory kills the service while it fetches recordings, and once
// more while a command has all of history reviewed again. After each start
// everything comes to its end by itself, and nothing has happened twice.
func TestKilledInHistory(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string]func(t *testing.T) []string{
		"sqlite":   func(*testing.T) []string { return nil },
		"postgres": func(t *testing.T) []string { t.Helper(); return append(quickly(), "--database", pgtest.Database(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newHistory(t, flags(t))
			w.serve(t)
			w.key = w.service.firstKey(t)
			w.submit(t)
			eventually(t, patience, "some recordings are here and the others on their way", func() bool {
				_, sounds := w.progress(t)
				return sounds == delivered && w.shelf.waiting() == archived-delivered
			})
			w.service.kill(t)
			w.shelf.open()
			w.serve(t)
			w.scored(t)
			before := w.calls(t)
			w.checkFetched(t)
			w.killInReplay(t)
			w.checkSame(t, before)
			w.checkCounted(t)
		})
	}
}

// history is a service whose calls lie behind it.
type history struct {
	binary, address, data, key string
	flags                      []string
	shelf                      *shelf
	service                    *process
	// ids are the calls by their name at the client's.
	ids map[string]string
}

func newHistory(t *testing.T, flags []string) *history {
	t.Helper()
	w := &history{binary: build(t), address: "127.0.0.1:" + port(t), data: t.TempDir(), shelf: newShelf(t), ids: map[string]string{}}
	w.flags = append([]string{"--log-level=warn", "serve", "--data", w.data, "--listen", w.address, "--no-media", "--fetch-allow", "127.0.0.1"}, flags...)
	return w
}

// serve starts the service, again on the same folder and address.
func (w *history) serve(t *testing.T) {
	t.Helper()
	w.service = start(t, w.binary, w.flags...)
	w.service.address = w.address
	w.service.await(t)
}

func (w *history) api() *client.Client { return client.New(w.service.url(), w.key) }

// submit hands in all calls: those with a recording first.
func (w *history) submit(t *testing.T) {
	t.Helper()
	said := []client.Message{{Role: "assistant", Content: "How can I help you?"}, {Role: "user", Content: "My bill is wrong."}}
	for i := range archived + remembered {
		name := fmt.Sprintf("%03d", i)
		began := int64(historyBegan + i*1000)
		got, err := w.api().SubmitCallLog(t.Context(), client.CallLog{Provider: "custom", Payload: client.CustomPayload{
			CallID: name, RecordingURL: w.shelf.URL + "/" + name, FromNumber: "+15550100", ToNumber: "+15550199",
			StartTimestamp: began, EndTimestamp: began + 4000, Status: "ended",
			Transcript: &client.Transcript{Kind: client.TranscriptKind, Messages: said},
		}})
		must(t, err)
		w.ids[name] = got.ID
	}
}

// scored waits until every call is.
func (w *history) scored(t *testing.T) {
	t.Helper()
	eventually(t, patience, "every call is scored, with its recording", func() bool {
		scored, sounds := w.progress(t)
		return scored == archived+remembered && sounds == archived && w.settledFetches(t)
	})
}

// progress is how many calls are scored, and how many have their recording.
func (w *history) progress(t *testing.T) (scored, sounds int) {
	t.Helper()
	page, err := w.api().Calls(t.Context(), client.CallFilter{Origin: "production"}, client.PageOptions{Limit: 1000})
	must(t, err)
	for _, c := range page.Data {
		if c.ScoringStatus == "SCORED" {
			scored++
		}
		if c.RecordingURL != nil {
			sounds++
		}
	}
	return scored, sounds
}

// settledFetches reports whether it is known of the last recording, too, that there is none.
func (w *history) settledFetches(t *testing.T) bool {
	t.Helper()
	for name := range w.ids {
		if w.shelf.asked(name) == 0 {
			return false
		}
	}
	return true
}

// calls are all calls in full, by their name at the client's.
func (w *history) calls(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name, id := range w.ids {
		c, err := w.api().Call(t.Context(), id)
		must(t, err)
		if c.ScoringStatus != "SCORED" || word(c.ExternalID) != name {
			t.Errorf("call %s is %s and named %s", name, c.ScoringStatus, word(c.ExternalID))
		}
		out[name], err = json.Marshal(c)
		must(t, err)
	}
	return out
}

// checkFetched looks for every recording once, where it is kept, and for
// nothing half; what had arrived before the kill was not asked for again.
func (w *history) checkFetched(t *testing.T) {
	t.Helper()
	whole, half := recordings(t, filepath.Join(w.data, "recordings"))
	if len(whole) != archived || len(half) > 0 {
		t.Errorf("%d recordings are kept, and of what nobody finished %v", len(whole), half)
	}
	if left, err := os.ReadDir(filepath.Join(w.data, "fetched")); err != nil || len(left) > 0 {
		t.Errorf("%d files are left where recordings are read: %v", len(left), err)
	}
	once := 0
	for i := range archived {
		switch n := w.shelf.asked(fmt.Sprintf("%03d", i)); {
		case n == 1:
			once++
		case n > 2:
			t.Errorf("recording %d was asked for %d times", i, n)
		}
	}
	if once < delivered {
		t.Errorf("%d recordings were asked for once; %d had arrived before the kill", once, delivered)
	}
}

// killInReplay has history reviewed again by the command and kills the service
// meanwhile; the command waits for the next one and tells the end. How far a
// review is can only be seen now and then, and a fast machine is through before
// the kill: then the next one is struck sooner.
func (w *history) killInReplay(t *testing.T) {
	t.Helper()
	reviews := 0
	for wait := 150 * time.Millisecond; ; wait /= 2 {
		if wait < time.Millisecond {
			t.Fatalf("%d reviews of history were over before they could be killed", reviews)
		}
		reviews++
		command, said := w.reviewAgain(t)
		time.Sleep(wait) // a moment in the middle
		running := w.replays(t, reviews)[0].Status == "RUNNING"
		if running {
			w.service.kill(t)
			w.serve(t)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("the command: %v\n%s", err, said.String())
		}
		if want := fmt.Sprintf("done: %d reviewed, 0 left out, 0 failed", archived+remembered); !strings.Contains(said.String(), want) {
			t.Errorf("the command says\n%s\nwithout %q", said.String(), want)
		}
		if r := w.replays(t, reviews)[0]; r.Status != "FINISHED" || r.Total != archived+remembered || r.Reviewed != r.Total {
			t.Errorf("the review of history is %+v", r)
		}
		if running {
			return
		}
	}
}

// reviewAgain starts the command that has all of history reviewed again, and
// waits until it has been told that this has begun.
func (w *history) reviewAgain(t *testing.T) (*exec.Cmd, *output) {
	t.Helper()
	var said output
	command := exec.CommandContext(t.Context(), w.binary, "review", "--url", w.service.url(), "--since", "2025-01-01", "--origin", "production")
	command.Env, command.Stdout, command.Stderr = append(bare(), "RINGTRUE_KEY="+w.key), &said, &said
	must(t, command.Start())
	eventually(t, patience, "the review of history has begun", func() bool { return strings.Contains(said.String(), "to be reviewed again") })
	return command, &said
}

// replays are the reviews of history, of which there are so many, the last one first.
func (w *history) replays(t *testing.T, want int) []client.Replay {
	t.Helper()
	list, err := w.api().Replays(t.Context(), client.PageOptions{})
	must(t, err)
	if len(list.Data) != want {
		t.Fatalf("there are %d reviews of history, want %d: %+v", len(list.Data), want, list.Data)
	}
	return list.Data
}

// checkSame compares the calls with what they were, and looks whether any
// recording was fetched for the second review.
func (w *history) checkSame(t *testing.T, before map[string][]byte) {
	t.Helper()
	for name, now := range w.calls(t) {
		if !bytes.Equal(now, before[name]) {
			t.Errorf("call %s was\n%s\nand is\n%s", name, before[name], now)
		}
	}
	w.checkFetched(t)
}

// checkCounted looks for every call once in the list and in the figures.
func (w *history) checkCounted(t *testing.T) {
	t.Helper()
	page, err := w.api().Calls(t.Context(), client.CallFilter{Origin: "production"}, client.PageOptions{Limit: 1000})
	must(t, err)
	there := map[string]int{}
	for _, c := range page.Data {
		there[word(c.ExternalID)]++
	}
	for name, n := range there {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	const hour = int64(3_600_000)
	var calls int64
	eventually(t, patience, "the figures are up to date", func() bool {
		got, err := w.api().Trends(t.Context(), client.MonitorQuery{Origin: "production", From: historyBegan/hour*hour - hour, Until: historyBegan/hour*hour + 2*hour}, "hour", "")
		must(t, err)
		calls = got.Total.Calls
		return got.Pending == 0 && calls > 0
	})
	if len(there) != archived+remembered || calls != archived+remembered {
		t.Errorf("%d calls are there and %d are counted, want %d", len(there), calls, archived+remembered)
	}
}

// shelf is where the recordings lie. Only the first ones come whole; the others
// stop in their middle until the shelf is opened.
type shelf struct {
	*httptest.Server
	opened chan struct{}

	mu   sync.Mutex
	hits map[string]int
	// given is how many are whole, held how many stand still.
	given, held int
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{opened: make(chan struct{}), hits: map[string]int{}}
	const rate = 8000
	left, right := make([]int16, 4*rate), make([]int16, 4*rate)
	audio.Mix(right[rate/2:], audio.Tone(700, 8000, time.Second, rate))
	audio.Mix(left[2*rate:], audio.Tone(300, 8000, time.Second, rate))
	var sound bytes.Buffer
	must(t, audio.WriteWAV(&sound, rate, left, right))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, sound.Bytes()) }))
	t.Cleanup(s.Close)
	return s
}

func (s *shelf) serve(w http.ResponseWriter, r *http.Request, sound []byte) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	s.mu.Lock()
	s.hits[name]++
	s.mu.Unlock()
	if n, err := strconv.Atoi(name); err != nil || n >= archived {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(sound)))
	if s.goesThrough() {
		_, _ = w.Write(sound)
		return
	}
	_, _ = w.Write(sound[:len(sound)/2])
	_ = http.NewResponseController(w).Flush()
	s.hold(1)
	defer s.hold(-1)
	select {
	case <-s.opened:
		_, _ = w.Write(sound[len(sound)/2:])
	case <-r.Context().Done():
	}
}

// goesThrough says whether the next recording comes whole.
func (s *shelf) goesThrough() bool {
	select {
	case <-s.opened:
		return true
	default:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given++
	return s.given <= delivered
}

func (s *shelf) hold(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += by
}

func (s *shelf) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// asked is how often a recording was asked for.
func (s *shelf) asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[name]
}

// open lets everything go through.
func (s *shelf) open() { close(s.opened) }
