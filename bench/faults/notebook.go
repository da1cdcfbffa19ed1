package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// notebook stores the result of each call in a file in the run's folder, one line per call, so that
// a long run that was interrupted continues where it stopped.
type notebook struct {
	mu    sync.Mutex
	file  *os.File
	notes map[noteKey]note
}

// noteKey identifies a call of the matrix.
type noteKey struct {
	Run      uint64 // the run's seed
	Own      bool
	Fault    string
	Seed     int
	Scenario string
	Faulty   bool // whether the agent of a call that we spoilt has a fault, too
}

// note is what the tables and the page need of a call.
type note struct {
	Key         noteKey
	Size, Voice string
	Agent       string
	Mended      call.Verdict
	Call        call.Call
	Scores      []call.Score
	Said        []string
}

// openNotebook reads the notes of earlier runs in a folder. A last line that is incomplete belongs
// to a call that must be placed again.
func openNotebook(folder string) (*notebook, error) {
	path := filepath.Join(folder, "calls.jsonl")
	b := &notebook{notes: map[noteKey]note{}}
	old, err := os.Open(path)
	switch {
	case err == nil:
		defer old.Close()
		lines := bufio.NewScanner(old)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var n note
			if json.Unmarshal(lines.Bytes(), &n) == nil {
				b.notes[n.Key] = n
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	b.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return b, err
}

func (b *notebook) close() { _ = b.file.Close() }

func (b *notebook) has(k noteKey) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.notes[k]
	return ok
}

// add writes a note. It begins a new line, whatever an earlier run has left.
func (b *notebook) add(n note) error {
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes[n.Key] = n
	_, err = b.file.Write(append(append([]byte{'\n'}, line...), '\n'))
	return err
}

func (p plan) agentKey(fault string, seed int, scenario string) noteKey {
	return noteKey{Run: p.seed, Fault: fault, Seed: seed, Scenario: scenario}
}

func (p plan) ownKey(fault string, seed int, faulty bool) noteKey {
	return noteKey{Run: p.seed, Own: true, Fault: fault, Seed: seed, Faulty: faulty}
}

func (p plan) noteOf(f *finding) note {
	return note{Key: p.agentKey(f.fault.name, f.seed, f.item.Key), Size: f.size, Voice: f.voice, Call: f.call, Scores: f.review.Scores, Said: f.said}
}

func (p plan) noteOfSpoilt(s *spoiltCall, faulty bool) note {
	return note{Key: p.ownKey(s.fault.name, s.seed, faulty), Agent: s.agent, Mended: s.mended, Call: s.call, Scores: s.review.Scores}
}

// calls returns everything noted with the plan's seed.
func (b *notebook) calls(p plan) (agents []finding, own []spoiltCall) {
	faults := map[string]agentFault{"": {}}
	for _, f := range agentFaults() {
		faults[f.name] = f
	}
	ours := map[string]ownFault{}
	for _, f := range ownFaults() {
		ours[f.name] = f
	}
	for k, n := range b.notes {
		o := outcome{item: scenario.Item{Key: k.Scenario}, call: n.Call, review: call.Review{Scores: n.Scores}, said: n.Said}
		fault, known := faults[k.Fault]
		our, ofOurs := ours[k.Fault]
		switch {
		case k.Run != p.seed:
		case k.Own && ofOurs:
			own = append(own, spoiltCall{fault: our, agent: n.Agent, seed: k.Seed, outcome: o, mended: n.Mended})
		case !k.Own && known:
			agents = append(agents, finding{fault: fault, size: n.Size, voice: n.Voice, seed: k.Seed, outcome: o})
		}
	}
	return agents, own
}
