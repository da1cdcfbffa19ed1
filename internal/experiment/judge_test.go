package experiment

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func TestVerdictOfAnExperiment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		verdicts  []call.Verdict
		threshold float64
		least     int
		want      call.Verdict
	}{
		{"all passed", []call.Verdict{call.Passed, call.Passed}, 1, 1, call.Passed},
		{"one failed", []call.Verdict{call.Passed, call.NotPassed}, 1, 1, call.NotPassed},
		{"threshold reached", []call.Verdict{call.Passed, call.NotPassed}, 0.5, 1, call.Passed},
		{"void calls do not count", []call.Verdict{call.Passed, call.Void}, 1, 1, call.Passed},
		{"only void calls", []call.Verdict{call.Void, call.Void}, 1, 1, call.Void},
		{"nothing evaluated has not passed", []call.Verdict{call.NotEvaluated}, 0, 1, call.NotEvaluated},
		{"too few evaluated", []call.Verdict{call.Passed, call.Void}, 1, 2, call.NotEvaluated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var calls []call.Call
			for _, v := range tt.verdicts {
				calls = append(calls, call.Call{Verdict: v, ScoringStatus: call.Scored})
			}
			plan := Plan{Defaults: scenario.TestDefaults{PassThreshold: tt.threshold, MinEvaluated: tt.least}}
			status, verdict, reason := judge(tally(calls), plan)
			if status != Finished || verdict != tt.want {
				t.Errorf("%s, %s (%s), want FINISHED, %s", status, verdict, reason, tt.want)
			}
		})
	}
}

func TestReasonGivesTheThresholdAsItWasSet(t *testing.T) {
	t.Parallel()
	calls := []call.Call{{Verdict: call.Passed, ScoringStatus: call.Scored}}
	for threshold, want := range map[float64]string{0.29: "29 %", 0.07: "7 %", 0.995: "99.5 %", 0.000001: "0.0001 %", 1: "100 %"} {
		plan := Plan{Defaults: scenario.TestDefaults{PassThreshold: threshold, MinEvaluated: 1}}
		if _, _, reason := judge(tally(calls), plan); reason != "1 of 1 evaluated calls passed; "+want+" are needed" {
			t.Errorf("%v: %s", threshold, reason)
		}
	}
}

func TestReasonSpeaksOfOneCall(t *testing.T) {
	t.Parallel()
	calls := []call.Call{{Verdict: call.Passed, ScoringStatus: call.Scored}, {Verdict: call.Void, ScoringStatus: call.Scored}}
	plan := Plan{Defaults: scenario.TestDefaults{PassThreshold: 1, MinEvaluated: 2}}
	if _, _, reason := judge(tally(calls), plan); reason != "only 1 of 2 calls could be evaluated; at least 2 are needed" {
		t.Error(reason)
	}
}

func TestScoringFailedOnlyWhenNoCallCouldBeScored(t *testing.T) {
	t.Parallel()
	failed := call.Call{Verdict: call.Void, ScoringStatus: call.ScoringFailed}
	scored := call.Call{Verdict: call.Passed, ScoringStatus: call.Scored}
	plan := Plan{Defaults: scenario.TestDefaults{PassThreshold: 1, MinEvaluated: 1}}
	if status, _, _ := judge(tally([]call.Call{failed, failed}), plan); status != ScoringFailed {
		t.Errorf("none scored: %s", status)
	}
	both := []call.Call{failed, scored}
	if status, _, _ := judge(tally(both), plan); status != Finished {
		t.Errorf("one scored: %s, want FINISHED", status)
	}
}

func TestEndReasonBelievesWhoSpokeTheFinalWord(t *testing.T) {
	t.Parallel()
	done := []call.Event{{Kind: call.KindScriptDone}}
	byAgent := call.Attempt{EndReason: call.EndOf(call.EndAgentHungUp, "BYE")}
	if got := endReason(byAgent, call.EndReason{}, nil); got.Blame != call.BlameAgent {
		t.Errorf("the agent hung up before the end: blame %s", got.Blame)
	}
	if got := endReason(byAgent, call.EndReason{}, done); got.Blame != call.BlameNobody {
		t.Errorf("the agent hung up after the end of the script: blame %s", got.Blame)
	}
	gaveUp := call.EndOf(call.EndCallerHungUp, "the words waited for never came")
	if got := endReason(byAgent, gaveUp, nil); got != gaveUp {
		t.Errorf("an agent that hung up on a caller that had given up: %+v, want %+v", got, gaveUp)
	}
	if got := endReason(byAgent, call.EndOf(call.EndCompleted, ""), done); got.Code != call.EndAgentHungUp || got.Blame != call.BlameNobody {
		t.Errorf("an agent that hung up on a caller that was done: %+v", got)
	}
	if got := endReason(call.Attempt{}, call.EndOf(call.EndSilence, ""), nil); got.Code != call.EndSilence {
		t.Errorf("the caller gave up: %s", got.Code)
	}
	if got := endReason(call.Attempt{}, call.EndReason{}, nil); got.Blame != call.BlameRingtrue {
		t.Errorf("nobody said why: blame %s", got.Blame)
	}
}

func TestSeedsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[uint64]bool{}
	for i := range 1000 {
		s := seedOf(42, i)
		if seen[s] || s>>63 != 0 {
			t.Fatalf("seed %d of position %d repeats or does not fit a signed column", s, i)
		}
		seen[s] = true
	}
}
