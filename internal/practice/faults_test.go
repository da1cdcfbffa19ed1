package practice

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/speech/speechtest"
)

// TestEachFaultShowsAndNothingElse checks that each fault changes the one thing that it is about,
// and nothing else.
func TestEachFaultShowsAndNothingElse(t *testing.T) {
	t.Parallel()
	sound := look(t)
	if !sound.yielded || sound.stopped || sound.overlap > 0 || sound.lost || sound.noise > -90 {
		t.Fatalf("without faults the call looks like %+v", sound)
	}
	tests := map[string]struct {
		fault string
		want  func(l *looks)
	}{
		"late":                 {"late=1500ms", func(l *looks) { l.delay += 1500 * time.Millisecond }},
		"ignore_interruption":  {"ignore_interruption", func(l *looks) { l.yielded = false }},
		"stop_for_backchannel": {"stop_for_backchannel", func(l *looks) { l.stopped = true }},
		"wrong_price":          {"wrong_price=20", func(l *looks) { l.lines = strings.Replace(l.lines, "costs 40", "costs 60", 1) }},
		"skip_tool":            {"skip_tool", func(l *looks) { l.tools, _, _ = strings.Cut(l.tools, "\n") }},
		"wrong_argument":       {"wrong_argument=1", func(l *looks) { l.tools = strings.Replace(l.tools, "10:30", "11:30", 1) }},
		"noise":                {"noise=15dB", func(l *looks) { l.noise = -38 }},
		"lose_packets":         {"lose_packets=5", func(l *looks) { l.lost = true }},
		"go_silent": {"go_silent=2", func(l *looks) {
			l.lines, l.hungUp, l.delay = firstLines(l.lines, 2), "caller_hung_up", 0
			l.tools, _, _ = strings.Cut(l.tools, "\n") // the caller is not asked for more and falls silent too
		}},
		"hang_up_early": {"hang_up_early=2", func(l *looks) { l.lines, l.tools, l.delay = firstLines(l.lines, 2), "", 0 }},
		"repeat_itself": {"repeat_itself=1", func(l *looks) {
			lines := strings.Split(l.lines, "\n")
			for i := range lines {
				lines[i] += " " + lines[i]
			}
			l.lines = strings.Join(lines, "\n")
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, got := sound, look(t, test.fault)
			if test.want(&want); want == sound {
				t.Fatal("the test does not say what the fault changes")
			}
			if got.noise > -41 && got.noise < -35 {
				got.noise = -38
			}
			if got.lost {
				got.overlap, got.delay = want.overlap, want.delay // lost frames change what is measured
			}
			if got != want {
				t.Errorf("the call looks like\n%+v\nwant\n%+v", got, want)
			}
		})
	}
}

// TestFaultsTheCallerHasToBear compares whole calls in which the caller says or hears more because
// of the fault: apart from that, everything must be as in a call without faults.
func TestFaultsTheCallerHasToBear(t *testing.T) {
	t.Parallel()
	sound := look(t)
	t.Run("forget_date", func(t *testing.T) {
		t.Parallel()
		again := slices.Insert(turnsOf(), 2, "on tuesday")
		got := lookAt(t, again, "forget_date=1")
		want := sound
		want.lines = strings.Replace(want.lines, sayDay+"\n", sayDay+"\n"+sayDay+"\n", 1)
		if got != want {
			t.Errorf("the call looks like\n%+v\nwant\n%+v", got, want)
		}
	})
	t.Run("talk_over", func(t *testing.T) {
		t.Parallel()
		got, want := look(t, "talk_over=1000ms"), sound
		if n := strings.Count(got.lines, sayTalkOver); n != len(turnsOf()) {
			t.Errorf("it spoke into %d turns of %d", n, len(turnsOf()))
		}
		if got.overlap < 400*time.Millisecond || got.overlap > 4*time.Second { // syllables overlap only now and then
			t.Errorf("both spoke for %s, want 0.4 to 4 s", got.overlap)
		}
		got.lines = strings.ReplaceAll(got.lines, sayTalkOver+"\n", "")
		got.overlap, got.delay, got.stopped, got.yielded = want.overlap, want.delay, want.stopped, want.yielded
		if got != want {
			t.Errorf("the call looks like\n%+v\nwant\n%+v", got, want)
		}
	})
	t.Run("mishear", func(t *testing.T) {
		t.Parallel()
		got, want := look(t, "mishear=100%"), sound
		lines := []string{sayGreeting, sayNotHeard}
		for range len(turnsOf()) - 1 {
			lines = append(lines, sayMenu)
		}
		want.lines, want.tools, want.hungUp = strings.Join(lines, "\n"), "", "caller_hung_up"
		if got.lines = firstLines(got.lines, len(lines)); got != want {
			t.Errorf("the call looks like\n%+v\nwant\n%+v", got, want)
		}
	})
}

// TestFaultsOfWords compares what is said in a whole call with a call without faults.
func TestFaultsOfWords(t *testing.T) {
	t.Parallel()
	sound := strings.Split(look(t).lines, "\n")
	said := func(t *testing.T, fault string, want func(i int, line string) string) {
		t.Helper()
		t.Parallel()
		lines := slices.Clone(sound)
		for i := range lines {
			lines[i] = want(i, lines[i])
		}
		if slices.Equal(lines, sound) {
			t.Fatal("the test does not say what the fault changes")
		}
		got := look(t, fault)
		if said := strings.Split(got.lines, "\n"); !slices.Equal(said, lines) {
			t.Errorf("the desk said\n%q\nwant\n%q", said, lines)
		}
		if plain := look(t); got.tools != plain.tools || got.hungUp != plain.hungUp {
			t.Errorf("the call looks like\n%+v\nwithout the fault\n%+v", got, plain)
		}
	}
	replies := func(before string) func(int, string) string {
		return func(i int, line string) string {
			if i == 0 {
				return line
			}
			return before + line
		}
	}
	t.Run("no_greeting", func(t *testing.T) {
		said(t, "no_greeting", func(i int, line string) string {
			if i == 0 {
				return sayYes
			}
			return line
		})
	})
	t.Run("ramble", func(t *testing.T) { said(t, "ramble=1", replies(sayRamble+" ")) })
	t.Run("promise", func(t *testing.T) { said(t, "promise", replies(sayPromise+" ")) })
	t.Run("misstate", func(t *testing.T) {
		said(t, "misstate=1", func(_ int, line string) string {
			return strings.Replace(line, "is booked for Tuesday at ten thirty", "is booked for Tuesday at eleven thirty", 1)
		})
	})
	t.Run("misstate after closing", func(t *testing.T) {
		t.Parallel()
		for fault, want := range map[string]string{"misstate=1": "at five thirty.", "misstate=2": "at six thirty.", "misstate=3": "at seven thirty."} {
			got := lookAt(t, []string{"book a cleaning on tuesday at four thirty", "my name is anna miller", "yes"}, fault)
			if !strings.Contains(got.lines, "is booked for Tuesday "+want) {
				t.Errorf("with %s the desk said\n%s\nwant it to say %q", fault, got.lines, want)
			}
		}
	})
	t.Run("transfer_early", func(t *testing.T) {
		t.Parallel()
		got, want := look(t, "transfer_early=2"), firstLines(strings.Join(sound, "\n"), 2)+"\n"+sayTransfer
		if got.lines != want || got.hungUp != "transferred" || !strings.HasSuffix(got.tools, `transfer_call {"to":"front desk"}`) {
			t.Errorf("the call looks like\n%+v\nwant the lines\n%s\nand a transfer", got, want)
		}
	})
}

// TestFaultsOfSound measures one line for each fault and compares it with that of a desk without
// faults.
func TestFaultsOfSound(t *testing.T) {
	t.Parallel()
	greeting := func(t *testing.T, faults ...string) (first, last time.Duration, level float64) {
		t.Helper()
		s := newSession(t, faults)
		s.run(t, 8*time.Second)
		first, last = s.sounding(9 * time.Second)
		return first, last, audio.Level(s.desk[int(first*rate/time.Second):int(last*rate/time.Second)])
	}
	first, last, level := greeting(t)
	near := func(t *testing.T, what string, got, want, within float64) {
		t.Helper()
		if got < want-within || got > want+within {
			t.Errorf("%s is %.3f, want %.3f", what, got, want)
		}
	}
	t.Run("greet_late", func(t *testing.T) {
		from, to, _ := greeting(t, "greet_late=2s")
		near(t, "the beginning", (from - first).Seconds(), 2, 0.02)
		near(t, "the end", (to - last).Seconds(), 2, 0.02)
	})
	t.Run("hurry", func(t *testing.T) {
		from, to, _ := greeting(t, "hurry=60%")
		near(t, "the beginning", from.Seconds(), first.Seconds(), 0.02)
		near(t, "the length", (to - from).Seconds(), (last-first).Seconds()/1.6, 0.1)
	})
	t.Run("quiet", func(t *testing.T) {
		_, _, soft := greeting(t, "quiet=20dB")
		near(t, "the level", soft-level, -20, 1)
	})
	t.Run("overdrive", func(t *testing.T) {
		_, _, loud := greeting(t, "overdrive=30dB")
		if loud < -8 {
			t.Errorf("the level is %.1f dBFS, want at least -8", loud)
		}
	})
}

// TestFaultsOfListening makes the caller interrupt, give backchannels and press keys.
func TestFaultsOfListening(t *testing.T) {
	t.Parallel()
	stops := func(t *testing.T, faults ...string) time.Duration {
		t.Helper()
		s := newSession(t, faults)
		s.run(t, 3*time.Second, says{after: -700 * time.Millisecond, length: 2500 * time.Millisecond})
		_, last := s.sounding(3 * time.Second)
		return last
	}
	t.Run("slow_to_yield", func(t *testing.T) {
		if late := stops(t, "slow_to_yield=800ms") - stops(t); late < 770*time.Millisecond || late > 830*time.Millisecond {
			t.Errorf("it stops %s later than a sound desk, want 800 ms", late)
		}
	})
	turns := func(t *testing.T, faults ...string) int {
		t.Helper()
		s := newSession(t, faults, "book a cleaning", "on tuesday")
		breath := slices.Concat(speechtest.Voice(700, 700*time.Millisecond, rate), make([]int16, rate*34/100), speechtest.Voice(700, 700*time.Millisecond, rate))
		s.run(t, 5*time.Second, says{length: 1740 * time.Millisecond, pcm: breath})
		n := 0
		for _, m := range s.party.Record().Messages {
			if m.Role == "user" {
				n++
			}
		}
		return n
	}
	t.Run("impatient", func(t *testing.T) {
		if sound, got := turns(t), turns(t, "impatient"); sound != 1 || got != 2 {
			t.Errorf("a turn with a breath in it is %d turns, and %d without the fault; want 2 and 1", got, sound)
		}
	})
	t.Run("ignore_keys", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"ignore_keys"})
		s.run(t, 6*time.Second, says{keys: "1"})
		wantLines(t, s, sayGreeting)
	})
}

// TestEveryFaultIsCompared fails if a new fault has no test of its own.
func TestEveryFaultIsCompared(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("faults_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range KnownFaults() {
		table := strings.Contains(string(source), `"`+f.Name+`": `) || strings.Contains(string(source), `"`+f.Name+`":  `)
		own := strings.Contains(string(source), `t.Run("`+f.Name+`", `) // in a test of its own
		if !table && !own {
			t.Errorf("no test compares a call with the fault %s to a sound one", f.Name)
		}
	}
}

func TestFaultsThatChangeTheCourse(t *testing.T) {
	t.Parallel()
	t.Run("forget_date", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"forget_date"}, "book a cleaning", "on tuesday at ten thirty", "tuesday", "my name is anna miller")
		s.run(t, 3*time.Second, repeat(4)...)
		n := 0
		for _, line := range s.lines() {
			if line == sayDay {
				n++
			}
		}
		if n != 2 {
			t.Errorf("the day was asked for %d times, want 2: %q", n, s.lines())
		}
	})
	t.Run("repeat_itself", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"repeat_itself"}, "book an appointment")
		s.run(t, 5*time.Second, talk())
		if want := sayService + " " + sayService; !slices.Contains(s.lines(), want) {
			t.Errorf("the desk said %q, want %q", s.lines(), want)
		}
	})
	t.Run("go_silent", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"go_silent=2"}, turnsOf()...)
		s.run(t, 30*time.Second, repeat(6)...)
		if len(s.lines()) != 2 || s.hung {
			t.Errorf("the desk said %q and hung up: %v; want two lines, and that it stays", s.lines(), s.hung)
		}
	})
	t.Run("hang_up_early", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"hang_up_early=2"}, turnsOf()...)
		s.run(t, 30*time.Second, repeat(6)...)
		if len(s.lines()) != 2 || !s.hung || s.party.Record().EndReason != "agent_hung_up" {
			t.Errorf("the desk said %q, hung up %v, reason %s; want two lines, and agent_hung_up", s.lines(), s.hung, s.party.Record().EndReason)
		}
	})
	t.Run("talk_over", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"talk_over=1000ms"}, turnsOf()...)
		s.run(t, 3*time.Second, says{length: 3 * time.Second})
		n := 0
		for i := 0; i+160 <= len(s.desk); i += 160 {
			if audio.Level(s.call[max(0, i-1600):i+160]) > -40 && audio.Level(s.desk[i:min(len(s.desk), i+1600)]) > -40 {
				n++
			}
		}
		if got := time.Duration(n) * 20 * time.Millisecond; got < 900*time.Millisecond || got > 1300*time.Millisecond {
			t.Errorf("the desk spoke for %s into the caller's turn, want about 1 s", got)
		}
	})
	t.Run("mishear", func(t *testing.T) {
		t.Parallel()
		s := newSession(t, []string{"mishear=100%"}, turnsOf()...)
		s.run(t, 3*time.Second, talk())
		if !slices.Contains(s.lines(), sayNotHeard) {
			t.Errorf("the desk said %q, want %q among it", s.lines(), sayNotHeard)
		}
	})
}

func TestParseFaultsNamesEveryProblem(t *testing.T) {
	t.Parallel()
	_, err := ParseFaults([]string{"late=1500ms", "lat", "skip_tool=3", "noise=loud", "lose-packets=200"})
	p := problem.As(err)
	if p == nil || len(p.Fields) != 4 || p.Fields[0].Path != "fault[1]" {
		t.Fatalf("got %v, want 4 faulty fields from fault[1] on", err)
	}
	f, err := ParseFaults([]string{"late", "talk-over=300", "noise=20", "mishear"})
	if err != nil || f.Late != 1500*time.Millisecond || f.TalkOver != 300*time.Millisecond || *f.Noise != 20 || f.Mishear != 0.3 {
		t.Errorf("got %+v, %v", f, err)
	}
	for _, k := range KnownFaults() {
		if _, err := ParseFaults([]string{k.Name}); err != nil {
			t.Errorf("the default of %s: %v", k.Name, err)
		}
	}
}

func FuzzParseFaults(f *testing.F) {
	for _, s := range []string{"late=1500ms", "noise=NaN", "lose_packets=5%", "=", "x=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := ParseFaults([]string{s}); err == nil && (got.LosePackets > 1 || got.Late < 0) {
			t.Errorf("%q gave %+v", s, got)
		}
	})
}
