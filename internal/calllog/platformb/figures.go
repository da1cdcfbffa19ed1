package platformb

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const maxLatencies = 10_000

// readAgent reads which agent it was and what it ran. The prompt is recorded as a digest,
// which tells whether two are the same.
func (b *body) readAgent(r *calllog.Record) {
	assistant := b.inside("assistant")
	r.PlatformAgentID = first(b.word("assistantId"), assistant.Word("id", maxName))
	member := b.firstOfSquad()
	if assistant.Empty() {
		assistant = member.Inside("assistant")
	}
	r.AgentName, r.AgentVersion = assistant.Word("name", maxName), assistant.Word("version", maxName)
	if r.AgentVersion == "" {
		r.AgentVersion = b.word("assistantVersion")
	}
	for i, a := range b.inside("artifact").Elements("assistantActivations", 100) {
		if i > 0 {
			break
		}
		r.PlatformAgentID = first(r.PlatformAgentID, a.Word("assistantId", maxName))
		r.AgentName = first(r.AgentName, a.Word("assistantName", maxName))
		r.AgentVersion = first(r.AgentVersion, a.Word("assistantVersion", maxName))
	}
	r.PlatformAgentID = first(r.PlatformAgentID, first(member.Word("assistantId", maxName), assistant.Word("id", maxName)))
	model := assistant.Inside("model")
	r.Model = model.Word("model", maxName)
	for _, m := range model.Elements("messages", 100) {
		if text := m.Said("content", 1<<20); m.Word("role", maxName) == "system" && text != "" {
			sum := sha256.Sum256([]byte(text))
			r.Prompt = "sha256:" + hex.EncodeToString(sum[:6])
			break
		}
	}
}

// firstOfSquad returns the member of a squad that takes its calls, an empty object if there
// is no squad.
func (b *body) firstOfSquad() lenient.Object {
	if members := b.squad(); len(members) > 0 {
		return members[0]
	}
	return lenient.Of(nil)
}

// squad returns the members of a squad without marking it as read, so that it is kept as it
// came.
func (b *body) squad() []lenient.Object {
	const maxMembers = 100
	for _, o := range b.places {
		squad, _ := o.Raw("squad").(map[string]any)
		if members := lenient.Of(squad).Elements("members", maxMembers); len(members) > 0 {
			return members
		}
	}
	return nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// readAnalysis reads the platform's own opinion of the call.
func (b *body) readAnalysis(r *calllog.Record, words *calllog.Words) {
	a := b.inside("analysis")
	r.Summary = a.Said("summary", maxProse)
	if older := firstOf(b, func(o lenient.Object) string { return o.Said("summary", maxProse) }); r.Summary == "" {
		r.Summary = older
	}
	a.Inside("successEvaluation") // decodes an object that came as text, as this field is one of text
	if raw := a.Raw("successEvaluation"); raw != nil {
		r.Successful = success(raw)
		if _, plain := raw.(bool); !plain {
			words.Keep("analysis.successEvaluation", raw)
		}
	}
	a.Done("successEvaluation")
	words.KeepRest(a, "analysis.")
	b.readOutputs(r)
}

// judges reports whether the payload has the platform's opinion of the call.
func (b *body) judges() bool {
	return slices.ContainsFunc(b.places, func(o lenient.Object) bool {
		return !o.Inside("analysis").Empty() || o.Has("summary") || o.Has("structuredOutputs")
	})
}

// readOutputs reads the opinion of newer assistants, which have it in structured outputs and not
// in the analysis. Clients name their outputs as they like, so only those named as in the
// platform's own templates are understood. None is marked as read, so that all are kept as they
// came.
func (b *body) readOutputs(r *calllog.Record) {
	for _, o := range b.places {
		all, _ := o.Raw("structuredOutputs").(map[string]any)
		outputs := lenient.Of(all)
		for _, id := range outputs.Names() {
			output := outputs.Inside(id)
			switch name := strings.ToLower(output.Word("name", maxName)); {
			case name == "call summary" && r.Summary == "":
				r.Summary = output.Said("result", maxProse)
			case strings.HasPrefix(name, "success evaluation") && r.Successful == nil:
				r.Successful = success(output.Raw("result"))
			}
		}
	}
}

// success reads an evaluation in any rubric's form: true or false, pass or fail, excellent to
// poor, agreement, a share, percent, or marks up to ten or a hundred or as many as it says. It is
// nil where the answer is unclear; a bare 1 is the best share but the worst mark.
func success(raw any) *bool {
	yes, no := true, false
	switch v := raw.(type) {
	case bool:
		return &v
	case map[string]any:
		for _, name := range []string{"success", "passed", "result"} {
			if inner, ok := v[name].(bool); ok {
				return &inner
			}
		}
		return nil
	}
	word := strings.ToLower(strings.TrimRight(lenient.Of(map[string]any{"v": raw}).Word("v", 64), ".!"))
	switch word {
	case "true", "yes", "pass", "passed", "success", "successful", "excellent", "good", "agree", "strongly agree":
		return &yes
	case "false", "no", "fail", "failed", "failure", "unsuccessful", "poor", "disagree", "strongly disagree":
		return &no
	}
	marks, full, ok := marksOf(word)
	if !ok || marks < 0 || marks > full {
		return nil
	}
	good := marks > full/2
	return &good
}

// marksOf reads marks and how many there are at most.
func marksOf(word string) (marks, full float64, ok bool) {
	if got, most, both := strings.Cut(strings.Replace(word, " out of ", "/", 1), "/"); both {
		marks, ok = number(got)
		full, both = number(most)
		return marks, full, ok && both && full > 0
	}
	text, percent := strings.CutSuffix(word, "%")
	marks, ok = number(text)
	switch {
	case percent || marks > 10:
		full = 100
	case marks < 1:
		full = 1
	default:
		full, ok = 10, ok && marks > 1
	}
	return marks, full, ok
}

func number(text string) (float64, bool) {
	return lenient.Of(map[string]any{"v": strings.TrimSpace(text)}).Number("v")
}

// readFigures reads the cost, in dollars, and the latencies, given per turn in milliseconds
// without percentiles.
func (b *body) readFigures(r *calllog.Record, words *calllog.Words) {
	b.readCost(r)
	m := b.inside("performanceMetrics")
	turns := m.Elements("turnLatencies", maxLatencies)
	perSecond := perSecondOf(m, turns)
	for _, part := range []struct{ ours, theirs string }{
		{"e2e", "turnLatency"}, {"llm", "modelLatency"}, {"tts", "voiceLatency"}, {"asr", "transcriberLatency"}, {"endpointing", "endpointingLatency"},
	} {
		var values []float64
		for _, turn := range turns {
			if ms, ok := turn.Number(part.theirs); ok {
				values = append(values, ms)
			}
		}
		figure := calllog.Summarise(values, perSecond)
		ms, given := m.Number(part.theirs + "Average")
		if mean, ok := calllog.Seconds(ms, perSecond); given && ok && figure.N == 0 {
			figure.Mean = &mean
		}
		if figure.Mean == nil {
			continue
		}
		if r.Latency == nil {
			r.Latency = map[string]call.ReportedLatency{}
		}
		r.Latency[part.ours] = figure
	}
	if n, ok := m.Count("numUserInterrupted"); ok {
		r.CallerInterrupted = &n
	}
	if n, ok := m.Count("numAssistantInterrupted"); ok {
		r.AgentInterrupted = &n
	}
	words.KeepRest(m, "performanceMetrics.")
}

// readCost reads what the call cost: the total, or else the sum of its parts. The parts are not
// marked as read, so that they are kept as they came.
func (b *body) readCost(r *calllog.Record) {
	places := []lenient.Object{b.message, b.call}
	if slices.ContainsFunc(places, inAnotherCurrency) {
		return
	}
	if dollars, ok := b.message.Amount("cost"); ok {
		r.Cost = calllog.Micros(dollars)
	}
	if dollars, ok := b.call.Amount("cost"); ok && r.Cost == nil && (dollars != 0 || !b.before()) {
		r.Cost = calllog.Micros(dollars)
	}
	for _, o := range places {
		if dollars, ok := breakdown(o).Amount("total"); ok && r.Cost == nil {
			r.Cost = calllog.Micros(dollars)
		}
	}
	for _, o := range places {
		sum, told := 0.0, false
		for _, part := range calllog.Parts(o, "costs") {
			if dollars, ok := part.Number("cost"); ok {
				sum, told = sum+dollars, true
			}
		}
		if told && r.Cost == nil {
			r.Cost = calllog.Micros(sum)
		}
	}
}

func inAnotherCurrency(o lenient.Object) bool {
	return !calllog.InDollars(append(calllog.Parts(o, "costs"), o, breakdown(o))...)
}

// breakdown returns the cost by parts without marking it as read, so that it is kept as it
// came.
func breakdown(o lenient.Object) lenient.Object {
	parts, _ := o.Raw("costBreakdown").(map[string]any)
	return lenient.Of(parts)
}

// before reports whether a report carries the call as it was before or during the call, when
// it had cost nothing yet.
func (b *body) before() bool {
	status, _ := b.call.Raw("status").(string)
	return !b.bare && status != "" && status != "ended"
}

// perSecondOf returns how many units of the latencies make a second: 1000, or 1 if all are
// below 30. No answer takes less than thirty milliseconds, and nobody puts up with answers
// after thirty seconds.
func perSecondOf(m lenient.Object, turns []lenient.Object) float64 {
	const least = 30
	var most float64
	for _, name := range []string{"turnLatency", "modelLatency"} {
		for _, turn := range turns {
			if v, ok := turn.Number(name); ok {
				most = max(most, v)
			}
		}
		if v, ok := m.Number(name + "Average"); ok {
			most = max(most, v)
		}
	}
	if most > 0 && most < least {
		return 1
	}
	return 1000
}

// readRecording collects the links to recordings: a channel per side before a mixed one, and
// the presigned link first: it can be opened for an hour or so, while the plain one may not
// be readable by everybody.
func (b *body) readRecording(r *calllog.Record) {
	recording := b.inside("recording")
	mono := recording.Inside("mono")
	for _, place := range []struct {
		link     string
		channels int
	}{
		{b.address("presignedStereoUrl"), 2},
		{recording.Address("stereoUrl"), 2},
		{b.address("stereoRecordingUrl"), 2},
		{b.address("presignedMonoUrl"), 1},
		{mono.Address("combinedUrl"), 1},
		{b.address("recordingUrl"), 0},
		{recording.Address("url"), 0},
		{b.address("recording"), 0},
	} {
		r.HasRecording(place.link, place.channels)
	}
}

// readRest reads what links the call to other things, and keeps the rest.
func (b *body) readRest(r *calllog.Record, words *calllog.Words) {
	overrides, laid := b.inside("assistantOverrides"), b.inside("assistantOverrides") // one to read from, and one whose unread fields are kept
	variables := b.inside("variableValues")
	if variables.Empty() {
		variables = overrides.Inside("variableValues")
	}
	b.readMetadata(laid, r)
	r.TestCall = calllog.TestCallIn(lenient.Of(r.Metadata), variables, overrides.Inside("variableValues"), overrides.Inside("metadata"),
		b.inside("transport"), b.inside("phoneCallProviderDetails"), b.inside("customer").Inside("sipHeaders"), b.inside("sipHeaders"))
	if !variables.Empty() {
		words.Keep("variableValues", variables.Whole())
	}
	for _, o := range b.places {
		o.Done(own()...)
	}
	b.outer.Done("type")
	words.KeepRest(b.message, "")
	words.KeepRest(b.artifact, "artifact.")
	if !b.bare {
		words.KeepRest(b.call, "call.")
	}
	words.KeepRest(b.outer, "webhook.")
	b.keepInside(laid, words)
}

// keepInside keeps what is left of partly read objects and of the assistant's overrides. It
// runs last, because those can be long and the words are limited.
func (b *body) keepInside(laid lenient.Object, words *calllog.Words) {
	for _, name := range []string{"customer", "phoneNumber", "transport", "phoneCallProviderDetails", "sipHeaders"} {
		for _, o := range b.places {
			inner := o.Inside(name)
			inner.Done(own()...)
			inner.Done("number", "twilioPhoneNumber", "sipUri")
			words.KeepRest(inner, name+".")
		}
	}
	laid.Done("variableValues")
	words.KeepRest(laid, "assistantOverrides.")
}

// own are fields that identify things of the platform's own, or are of no use here.
func own() []string {
	return []string{"type", "id", "orgId", "phoneNumberId", "logUrl", "pcapUrl", "monitor", "timestamp", "createdAt", "updatedAt"}
}

// readMetadata reads the metadata that the client attached to the call or to its assistant;
// the call's own comes first.
func (b *body) readMetadata(laid lenient.Object, r *calllog.Record) {
	for _, o := range []lenient.Object{b.call, b.message, laid, b.inside("assistant")} {
		if len(r.Metadata) == 0 {
			r.Metadata = o.Fields("metadata")
		}
	}
}
