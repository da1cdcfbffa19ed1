package platformb_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The opinion is read from structured outputs where the analysis has none. Other outputs say
// nothing about summary and success, whatever their names look like, and all are kept.
func TestAnOpinionInStructuredOutputs(t *testing.T) {
	t.Parallel()
	const booked, passed = `"o1":{"name":"Call Summary","result":"Ada booked."}`, `"o2":{"name":"Success Evaluation - Pass/Fail","result":true}`
	const analysis = `,"analysis":{"summary":"Older.","successEvaluation":"false"}`
	for fields, want := range map[string]struct {
		summary, success string
	}{
		`,"artifact":{"structuredOutputs":{` + booked + `,` + passed + `}},"analysis":{}`:                                 {"Ada booked.", "true"},
		`,"artifact":{"structuredOutputs":{` + booked + `,` + passed + `}}` + analysis:                                    {"Older.", "false"},
		`,"artifact":{"structuredOutputs":{"o3":{"name":"Success Evaluation - Numeric Scale","result":3}}}`:               {"", "false"},
		`,"artifact":{"structuredOutputs":{"o3":{"name":"Success Evaluation - Descriptive Scale","result":"Excellent"}}}`: {"", "true"},
		`,"artifact":{"structuredOutputs":{"o2":{"name":"Success Evaluation - Pass/Fail","result":null},` + booked + `}}`: {"Ada booked.", ""},
		`,"artifact":{"structuredOutputs":{"o4":{"name":"Appointment Booked","result":true},"o5":"x"}}`:                   {"", ""},
		`,"artifact":{"structuredOutputs":[{"name":"Call Summary","result":"x"},7]}`:                                      {"", ""},
	} {
		r := read(t, report(fields))
		success := ""
		if r.Successful != nil {
			success = map[bool]string{true: "true", false: "false"}[*r.Successful]
		}
		if r.Summary != want.summary || success != want.success || r.Words["artifact.structuredOutputs"] == nil {
			t.Errorf("%s: %q, %s, %v", fields, r.Summary, success, r.Words)
		}
	}
	r := read(t, report(`,"endedReason":"customer-ended-call","artifact":{"structuredOutputs":{`+passed+`}}`))
	if r.End.Code != call.EndCompleted {
		t.Errorf("ended: %+v", r.End)
	}
}
