package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// spoilt is a way in which our own side can spoil a call, with a part of the resulting reason.
type spoilt struct {
	name   string
	do     func(b *bundle, t *testing.T)
	reason string
}

func changed(f func(c *call.Call, a *call.Attempt, p *score.Plan)) func(*bundle, *testing.T) {
	return func(b *bundle, _ *testing.T) { b.change(f) }
}

func waysToSpoil() []spoilt {
	event := func(e call.Event) func(*bundle, *testing.T) {
		return changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Timeline = append(a.Timeline, e) })
	}
	return []spoilt{
		{"our fault", event(call.Event{At: 3 * time.Second, Kind: call.KindOurFault, Data: map[string]any{"what": "mouth", "error": "secret"}}), "speech synthesis failed at 0:03.0."},
		{"our fault before the call", changed(func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.AnsweredAt = time.Time{}
			a.Timeline = []call.Event{{Kind: call.KindOurFault, Data: map[string]any{"what": "speech, the endpoint rejected the key"}}}
		}), "Ringtrue's speech engine failed before the call was answered: the endpoint rejected the key."},
		{"recogniser far too late", event(call.Event{Kind: call.KindLate, Data: map[string]any{"what": "words", "late_ms": 2001}}), "Ringtrue's speech recognition was 2001 ms late"},
		{"reply far too late", event(call.Event{Kind: call.KindLate, Data: map[string]any{"what": "model", "late_ms": 2001}}), "language model or speech synthesis was 2001 ms late"},
		{"model far too late, from JSON", event(call.Event{Kind: call.KindLate, Data: map[string]any{"what": "model", "late_ms": 5000.0}}), "5000 ms late"},
		{"speech late", event(call.Event{Kind: call.KindLate, Data: map[string]any{"what": "speech", "late_ms": 61}}), "61 ms late"},
		{"frames missed", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.SendMissed = 1 }), "1 of our 20 ms frames"},
		{"frames late", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.SendLateMax = 61 * ms }), "61 ms late"},
		{"frames hardly too late", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.SendLateMax = 60*ms + 1 }), "61 ms late; more than 60 ms"},
		{"our packets lost on their way", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Sent, a.Stats.RemoteLost = 400, 11 }), "11 of our 400 packets"},
		{"their packets not taken", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Received, a.Stats.ReceiveDropped = 400, 11 }), "11 of the agent's packets"},
		{"caller deaf", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline = slices.DeleteFunc(a.Timeline, func(e call.Event) bool {
				return e.At > 5*time.Second && (e.Kind == call.KindAgentStarted || e.Kind == call.KindAgentEnded)
			})
		}), "did not notice what the agent said at 0:05."},
		{"caller at a standstill", func(b *bundle, t *testing.T) {
			b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}, {5200, 7000}, {10500, 11500}}, 12*time.Second)
			changed(func(c *call.Call, a *call.Attempt, _ *score.Plan) {
				c.EndedAt = c.AnsweredAt.Add(12 * time.Second)
				a.Timeline = append(a.Timeline, call.Event{At: 5300 * ms, Kind: call.KindAgentStarted})
			})(b, t)
		}, "did not notice that the agent stopped speaking at 0:07.0"},
		{"agent heard, but not recorded", func(b *bundle, t *testing.T) {
			b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}}, 8*time.Second)
			changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
				a.Timeline = append(a.Timeline, call.Event{At: 5300 * ms, Kind: call.KindAgentStarted}, call.Event{At: 7000 * ms, Kind: call.KindAgentEnded})
			})(b, t)
		}, "what we heard from the agent at 0:05.3"},
		{"ended by us", changed(func(c *call.Call, _ *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndRingtrueError, "x")
		}), "Ringtrue ended the call"},
		{"line lost", changed(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.EndReason = call.EndOf(call.EndMediaLost, "") }), "line failed"},
		{"no recording", changed(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Recording = nil }), "no recording"},
		{"recording gone", func(b *bundle, _ *testing.T) { delete(b.shelf.blobs, "rec") }, "is missing: it was removed, or another process"},
		{"recording unreadable", func(b *bundle, _ *testing.T) { b.shelf.blobs["rec"] = []byte("nothing") }, "cannot be read"},
		{"recording changed", func(b *bundle, _ *testing.T) { b.shelf.blobs["rec"][10000]++ }, "digest differs"},
		{"caller's channel not covered", changed(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Recording.CallerCoverage = 0.98 }), "98.0 %"},
		{"recording short", func(b *bundle, t *testing.T) {
			b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}, {5200, 6000}}, 6500*ms)
		}, "6.5 s long"},
		{"our words missing", func(b *bundle, t *testing.T) { b.record(t, nil, []stretch{{500, 2000}, {5200, 7000}}, 8*time.Second) }, "is missing what we said at 0:03.0"},
		{"our words elsewhere", func(b *bundle, t *testing.T) {
			b.record(t, []stretch{{3300, 4800}}, []stretch{{500, 2000}, {5200, 7000}}, 8*time.Second)
		}, "is not at that time in the recording"},
		{"caller silent when due", changed(func(c *call.Call, _ *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndSilence, "").Blaming(call.BlameCaller)
		}), "stayed silent"},
		{"caller hung up too early", changed(func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndCallerHungUp, "")
			a.Timeline = slices.Delete(a.Timeline, 2, 3)
		}), "hung up before the end"},
		{"line not said", changed(func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Timeline[1].Text = "Something else." }), "did not say the line of step 1"},
		{"another step played", changed(func(_ *call.Call, a *call.Attempt, p *score.Plan) {
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, scenario.Step{Say: "Thank you"})
			a.Timeline = append(a.Timeline, call.Event{At: 7400 * ms, Kind: call.KindStep, Data: map[string]any{"path": "script[1]", "step": "hang_up"}})
		}), `At step 2 of its script, our caller did "hang_up" instead of "wait_for_agent".`},
		{"script taken for done", changed(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{Say: "Thank you"})
		}), "finished its script too early, before step 2"},
		{"step left out", changed(func(_ *call.Call, a *call.Attempt, p *score.Plan) {
			p.Item.Input.Script = append([]scenario.Step{{Say: "Hello"}}, p.Item.Input.Script...)
			a.Timeline[0].Data = map[string]any{"path": "script[1]"}
		}), "left out step 1"},
	}
}

func TestWhatWeSpoilIsVoid(t *testing.T) {
	t.Parallel()
	for _, s := range waysToSpoil() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			// The agent is wrong as well, which must not count either.
			b.scribe.texts = []string{"wrong", "wrong"}
			s.do(b, t)
			c, r := b.review(t)
			if c.Verdict != call.Void || !strings.Contains(c.VerdictReason, s.reason) || c.ScoringStatus != call.Scored {
				t.Errorf("%s because %q, want void because …%s…", c.Verdict, c.VerdictReason, s.reason)
			}
			if len(r.Scores) != 0 || strings.Contains(c.VerdictReason, "secret") {
				t.Errorf("the scores are %+v", r.Scores)
			}
		})
	}
}

// TestAnAgentThatIsStillSpeakingWhenWeHangUp has an agent that sent its speech early: the recording
// goes on after the end of the call, where there is nothing of ours.
func TestAnAgentThatIsStillSpeakingWhenWeHangUp(t *testing.T) {
	t.Parallel()
	for held, spoilt := range map[float64]bool{8: false, 7.8: true} {
		b := setup(t)
		b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}, {5200, 10000}}, 10*time.Second)
		b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Recording.CallerCoverage = held / 10 })
		if c, _ := b.review(t); (c.Verdict == call.Void) != spoilt {
			t.Errorf("%g of 8 s are ours: %s because %q", held, c.Verdict, c.VerdictReason)
		}
	}
}

func TestWhatIsNotOurFaultIsEvidence(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *call.Call, a *call.Attempt, p *score.Plan){
		"frames a little late":     func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.SendLate, a.Stats.SendLateMax = 5, 60*ms },
		"some of our packets lost": func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Sent, a.Stats.RemoteLost = 400, 10 },
		"few of many packets lost": func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Sent, a.Stats.RemoteLost = 4000, 40 },
		"losses not counted":       func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Sent, a.Stats.RemoteLost = 400, -1 },
		"agent heard a little before it stands on the recording": func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline = append(a.Timeline, call.Event{At: 7200 * ms, Kind: call.KindAgentStarted}, call.Event{At: 7700 * ms, Kind: call.KindAgentEnded})
		},
		"a click of the agent's": func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline = append(a.Timeline, call.Event{At: 2700 * ms, Kind: call.KindAgentStarted}, call.Event{At: 2900 * ms, Kind: call.KindAgentEnded})
		},
		"few packets not taken": func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Stats.Received, a.Stats.ReceiveDropped = 400, 10
		},
		"packets lost to us": func(_ *call.Call, a *call.Attempt, _ *score.Plan) { a.Stats.Lost = 40 },
		"words a little late": func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline = append(a.Timeline, call.Event{Kind: call.KindLate, Data: map[string]any{"what": "words", "late_ms": 300}})
		},
		"agent hung up before the end": func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndAgentHungUp, "BYE")
			a.Timeline = slices.Delete(a.Timeline, 2, 3)
		},
		"agent silent": func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndSilence, "")
			a.Timeline = append(slices.Delete(a.Timeline, 2, 3), call.Event{Kind: call.KindGaveUp})
		},
		"caller gave up": func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndCallerHungUp, "")
			a.Timeline = append(slices.Delete(a.Timeline, 2, 3), call.Event{Kind: call.KindWordsMissed}, call.Event{Kind: call.KindGaveUp})
		},
		"agent hung up before the line could be said": func(c *call.Call, a *call.Attempt, p *score.Plan) {
			c.EndReason = call.EndOf(call.EndAgentHungUp, "BYE")
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{Say: "Thank you"})
			a.Timeline[2] = call.Event{At: 7900 * ms, Kind: call.KindStep, Data: map[string]any{"path": "script[1]"}}
		},
		"the end came inside a branch": func(_ *call.Call, a *call.Attempt, p *score.Plan) {
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{Branch: &scenario.Branch{}}, scenario.Step{Say: "Thank you"})
			a.Timeline = append(a.Timeline, call.Event{At: 7400 * ms, Kind: call.KindStep, Data: map[string]any{"path": "script[1]", "step": "branch"}})
		},
		"the agent ended the script": func(c *call.Call, a *call.Attempt, p *score.Plan) {
			c.EndReason = call.EndOf(call.EndAgentHungUp, "BYE").Blaming(call.BlameNobody)
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{HangUp: true})
			a.Timeline[2].Data = map[string]any{"by": "agent"}
		},
		"the agent had us on hold while we spoke": func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline[1].At, a.Timeline[1].End = 2200*ms, 2900*ms // silence on our channel
			a.Timeline = append(a.Timeline, call.Event{At: 2100 * ms, Kind: call.KindHeld}, call.Event{At: 2500 * ms, Kind: call.KindResumed})
		},
		"the agent hung up as our line began": func(c *call.Call, a *call.Attempt, _ *score.Plan) {
			c.EndReason = call.EndOf(call.EndAgentHungUp, "BYE")
			a.Timeline = append(a.Timeline, call.Event{At: 7980 * ms, End: 8000 * ms, Kind: call.KindSaid, Data: map[string]any{"complete": false}})
		},
		"a step inside a branch": func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
			a.Timeline = append(a.Timeline, call.Event{At: 5 * time.Second, Kind: call.KindStep, Data: map[string]any{"path": "script[0].branch.otherwise[3]"}})
		},
	} {
		b := setup(t)
		b.change(do)
		if c, _ := b.review(t); c.Verdict == call.Void || c.Verdict == call.NotEvaluated {
			t.Errorf("%s: %s because %q", name, c.Verdict, c.VerdictReason)
		}
	}
}

func TestProductionCallsAreNotGated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(c *call.Call, _ *call.Attempt, p *score.Plan) {
		c.Origin, c.Recording, *p = call.Production, nil, score.Plan{}
	})
	if c, _ := b.review(t); c.Verdict == call.Void {
		t.Errorf("%s because %q", c.Verdict, c.VerdictReason)
	}
}

// A call that our side spoilt is never held against the agent, however it did.
func TestVoidIsNeverFailed(t *testing.T) {
	t.Parallel()
	ways := waysToSpoil()
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			b := setup(t)
			texts := []string{"", "that is forty five dollars", "that is ninety dollars", "goodbye"}
			b.scribe.texts = []string{texts[r.IntN(4)], texts[r.IntN(4)]}
			ways[r.IntN(len(ways))].do(b, t)
			b.change(func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
				if r.IntN(2) == 0 {
					a.Stats.Lost, a.Stats.JitterMax = int64(r.IntN(100)), time.Duration(r.IntN(1e9))
				}
			})
			if c, review := b.review(t); c.Verdict != call.Void || review.Verdict != call.Void || c.VerdictReason == "" {
				t.Errorf("%s because %q", c.Verdict, c.VerdictReason)
			}
		})
	}
}

func TestVerdictArithmetic(t *testing.T) {
	t.Parallel()
	const pass, fail, open = call.Passed, call.NotPassed, call.NotEvaluated
	required := func(v call.Verdict) call.Score {
		return call.Score{Verdict: v, Required: true, Reason: string(v) + "."}
	}
	informs := func(v call.Verdict) call.Score { return call.Score{Verdict: v, Reason: string(v) + "."} }
	for _, c := range []struct {
		name   string
		scores []call.Score
		// implied is how many of the last scores are implied.
		implied int
		want    call.Verdict
	}{
		{"nothing at all", nil, 0, open},
		{"one passed", []call.Score{required(pass)}, 0, pass},
		{"one failed", []call.Score{required(pass), required(fail)}, 0, fail},
		{"failed beats open", []call.Score{required(open), required(fail)}, 0, fail},
		{"passed and open", []call.Score{required(pass), required(open)}, 0, pass},
		{"only open", []call.Score{required(open)}, 0, open},
		{"informing failure", []call.Score{required(pass), informs(fail)}, 0, pass},
		{"informing pass alone", []call.Score{informs(pass)}, 0, open},
		{"implied alone passes", []call.Score{required(pass)}, 1, pass},
		{"implied alone fails", []call.Score{required(fail)}, 1, fail},
		{"implied does not stand in for own checks", []call.Score{required(open), required(pass)}, 1, open},
		{"implied failure fails", []call.Score{required(pass), required(fail)}, 1, fail},
		{"implied open, own passed", []call.Score{required(pass), required(open)}, 1, pass},
	} {
		checks := make([]check, len(c.scores))
		for i := range checks {
			checks[i].implied = i >= len(checks)-c.implied
		}
		if got, reason := verdictOf(c.scores, checks); got != c.want || reason == "" {
			t.Errorf("%s: %s because %q, want %s", c.name, got, reason, c.want)
		}
	}
}

// Reasons of verdicts use the singular for one check.
func TestWordsOfAVerdict(t *testing.T) {
	t.Parallel()
	score := func(v call.Verdict) call.Score {
		return call.Score{Verdict: v, Required: true, Reason: string(v) + "."}
	}
	pass, fail, open := score(call.Passed), score(call.NotPassed), score(call.NotEvaluated)
	for want, scores := range map[string][]call.Score{
		"The only required check passed.": {pass},
		"All 2 required checks passed.":   {pass, pass},
		"The only required check that could be evaluated passed; 1 could not: not_evaluated.": {pass, open},
		"failed.": {pass, fail},
		"failed. (2 required checks failed in all.)": {fail, fail},
	} {
		if _, reason := verdictOf(scores, make([]check, len(scores))); reason != want {
			t.Errorf("%q, want %q", reason, want)
		}
	}
	// What is implied was evaluated, although it does not count.
	_, reason := verdictOf([]call.Score{open, pass}, []check{{}, {implied: true}})
	if want := "Apart from how the call ended, no required check could be evaluated: not_evaluated."; reason != want {
		t.Errorf("%q, want %q", reason, want)
	}
}

func TestChecksOfACall(t *testing.T) {
	t.Parallel()
	m := &material{call: call.Call{AnsweredAt: answered}}
	names := func() string {
		var out []string
		for _, c := range checksFor(m) {
			name := c.config.Name
			if c.implied {
				name = "(" + name + ")"
			}
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	if got := names(); got != "(end_reason) (turn_taking)" {
		t.Errorf("nothing configured: %s", got)
	}
	m.plan.Item.Output.Outcome.ScriptDone = true
	m.plan.Scorers = []score.Config{{Name: "turns", Kind: score.KindTiming, Params: []byte(`{"metric":"turn_taking","min":0.5}`)}}
	if got := names(); got != "outcome turns" {
		t.Errorf("both configured: %s", got)
	}
	m.call.AnsweredAt = time.Time{}
	m.plan.Scorers = nil
	if got := names(); got != "outcome" {
		t.Errorf("never answered: %s", got)
	}
}

func TestScorerThatNoLongerBuildsIsAScore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
		p.Scorers = []score.Config{{ID: "sc_1", Name: "odd", Kind: "astrology", Version: 2}}
	})
	c, r := b.review(t)
	if s := named(r, "odd"); s.Verdict != call.NotEvaluated || s.ScorerID != "sc_1" || !strings.Contains(s.Reason, "astrology") {
		t.Errorf("the score is %+v", s)
	}
	if c.Verdict != call.Passed {
		t.Errorf("%s because %q", c.Verdict, c.VerdictReason)
	}
}
