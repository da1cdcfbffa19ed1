package calllog

import (
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Together combines all records of one call. Their order makes no difference but for those
// that are equally old.
func Together(records []Record) (out Record) {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b Record) int { return a.Judged.Compare(b.Judged) })
	for i := range records {
		out = Merge(out, records[i])
	}
	return out
}

// correct replaces what one of two records says by what the later of two opinions says.
// Records of which it is not known when they were sent correct nothing.
func correct(out *Record, a, b Record) {
	old, latest := a, b
	if a.Judged.After(b.Judged) {
		old, latest = b, a
	}
	out.Judged = latest.Judged
	if old.Judged.IsZero() || old.Judged.Equal(latest.Judged) {
		return
	}
	if latest.Summary != "" {
		out.Summary = latest.Summary
	}
	if latest.Sentiment != "" {
		out.Sentiment = latest.Sentiment
	}
	if latest.Voicemail != nil {
		out.Voicemail = latest.Voicemail
	}
	out.Words = maps.Clone(out.Words)
	for name, value := range latest.Words {
		if value != nil {
			out.Words[name] = value
		}
	}
	if latest.Successful == nil {
		return
	}
	out.Successful = latest.Successful
	if out.End.Detail == latest.End.Detail && dependsOnSuccess(out.End.Code) && dependsOnSuccess(latest.End.Code) {
		out.End = latest.End
	}
}

// dependsOnSuccess reports whether an end says whether the call was successful, or whom it
// is blamed on depends on that.
func dependsOnSuccess(code call.EndCode) bool {
	return code == call.EndCompleted || code == call.EndCallerHungUp || code == call.EndAgentHungUp
}
