package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// signWeight returns what a sign adds to the frustration of its turn, as a share of what is missing
// to 1.
func signWeight(s call.Sign) float64 {
	switch s {
	case call.SignSharpWords:
		return 0.5
	case call.SignToldBefore, call.SignAgentLost, call.SignAsksStop, call.SignHangsUp, call.SignThreatens, call.SignDistressed:
		return 0.35
	case call.SignRepeats, call.SignBlames:
		return 0.3
	case call.SignLetDown, call.SignRetorts:
		return 0.25
	case call.SignWantsPerson, call.SignCorrects, call.SignRaisedVoice:
		return 0.2
	case call.SignInterrupts, call.SignInsists:
		return 0.15
	case call.SignLongSilence:
		return 0.05
	case call.SignThanks:
	}
	return 0
}

// wordsAlone is the weight of hostile words that nothing else confirms, neither the caller's nor
// the agent's behaviour: "terrible" may describe a cough.
const wordsAlone = 0.7

// judge sets the valence of a turn's words, and the frustration according to the rules.
func (t *told) judge(english bool) {
	if t.arousal != nil && *t.arousal >= 0.5 {
		t.signs.add(call.SignRaisedVoice)
	}
	hostile := 0.0
	if english {
		t.valence = t.words.valence()
		hostile = t.words.hostile()
		if t.formula {
			t.valence, hostile = min(max(t.valence, -0.2), 0.2), 0
		}
	}
	if t.shouts && t.valence < 0 {
		t.signs.add(call.SignRaisedVoice)
	}
	if t.ironic {
		t.valence = min(t.valence, -0.3)
	}
	if t.declines {
		t.valence = min(t.valence, 0.2)
	}
	if t.concedes {
		t.valence = min(t.valence, 0)
	}
	t.lighten()
	hostile *= t.aim()
	t.spoken, t.ruled = t.valence, 1-t.calm(hostile)
}

// ruledPart is the weight of the rules beside the temper, which also depends on them.
const ruledPart = 0.25

// tempered combines the temper's judgement of a turn with the rules. The rules count a little of
// themselves, for words that no rated call has; behaviour and voice count in full, since they
// cannot be read.
func (t *told) tempered(sounds float64) float64 {
	if t.formula || t.failed.gave && !t.denies || t.patient && !t.accuses() { // where others lose patience
		sounds /= 2
	}
	calm := (1 - sounds) * (1 - ruledPart*t.ruled)
	for _, s := range [...]call.Sign{call.SignInterrupts, call.SignHangsUp, call.SignRaisedVoice, call.SignLongSilence} {
		if t.signs.has(s) {
			calm *= 1 - signWeight(s)
		}
	}
	return 1 - calm
}

// calm returns what is left of 1 after hostile words, signs, the agent's behaviour and the
// preceding turns have taken their shares.
func (t *told) calm(hostile float64) float64 {
	agent := 0.0
	if t.valence < valenceFrom {
		agent = t.failed.share()
	}
	if !t.borne() && agent == 0 {
		hostile *= wordsAlone
	}
	calm := 1 - 0.8*hostile
	for _, s := range t.signs.list() {
		calm *= 1 - t.weight(s)
	}
	// A failing agent annoys an annoyed caller more; a patient one stays patient.
	calm *= 1 - min(agent, 1-calm)
	if t.signs.has(call.SignThanks) && !t.signs.has(call.SignSharpWords) {
		calm = 1 - 0.6*(1-calm)
	}
	if t.stays() {
		calm *= 1 - lingering*t.lasting
	}
	if t.patient && !t.accuses() {
		calm = 1 - 0.5*(1-calm)
	}
	return calm
}

// weight returns what a sign adds in this turn.
func (t *told) weight(s call.Sign) float64 {
	w := signWeight(s)
	if t.heaps && s == call.SignLetDown {
		w = 0.35
	}
	if t.opens && s == call.SignLetDown { // a caller with a problem has to describe it
		w *= 0.6
	}
	if t.asks && s == call.SignWantsPerson && !t.signs.has(call.SignRepeats) { // "could you put me through to billing please"
		w *= 0.5
	}
	if t.kindly(s) || s == call.SignCorrects && t.lasting < 0.1 { // the first time it may just be a report: "i tried that already"
		w *= 0.5
	}
	return w
}

// kindly reports whether a sign that calm callers also show comes with thanks or a "please":
// declining an offer takes repeating oneself.
func (t *told) kindly(s call.Sign) bool {
	return (t.polite || t.asks) && (s == call.SignRepeats || s == call.SignInsists || s == call.SignCorrects)
}

// borne reports whether a sign confirms hostile words.
func (t *told) borne() bool {
	for _, s := range t.signs.list() {
		if s != call.SignThanks && !t.kindly(s) {
			return true
		}
	}
	return false
}

// lingering is how much of the preceding frustration remains in a turn that answers another hurdle
// without thanks or joy.
const lingering = 0.35

// stays reports whether the preceding frustration is still there.
func (t *told) stays() bool {
	return t.failed.hurdle && t.valence < valenceFrom && !t.formula && !t.signs.has(call.SignThanks) && !t.patient
}

// accuses reports whether a turn says what no patient caller would.
func (t *told) accuses() bool {
	return t.signs.has(call.SignThreatens) || t.signs.has(call.SignSharpWords) || t.signs.has(call.SignBlames)
}

// aim returns how much of the hostile words is aimed at the other side of the call: less if they
// are about somebody else, answer good news, or explain what the call is about.
func (t *told) aim() float64 {
	share := 1.0
	switch t.target {
	case oneself, outsider:
		share = 0.4
	case someone:
		share = 0.8
	case atAgent:
	}
	if t.failed.gave && !t.denies {
		share = min(share, 0.4)
	}
	if t.opens {
		share *= 0.8
	}
	return share
}

// carry sets a turn's lasting frustration from the two turns before it, of which the nearer counts
// more.
func (c *course) carry(i int) {
	t := &c.turns[i]
	if i > 0 {
		t.lasting = c.turns[i-1].ruled
	}
	if i > 1 {
		t.lasting = max(t.lasting, 0.7*c.turns[i-2].ruled)
	}
}

// lighten drops signs that the words contradict: "bloody brilliant", "every time i come it's
// lovely". Thanks do not count as joy here, since they may be mere politeness.
func (t *told) lighten() {
	if t.sworn && t.valence > -valenceFrom {
		t.signs.drop(call.SignSharpWords)
	}
	if t.target == someone && !t.failed.hurdle && t.lasting < 0.2 {
		t.signs.drop(call.SignSharpWords)
	}
	if t.failed.gave && !t.denies && !t.signs.has(call.SignBlames) {
		t.signs.drop(call.SignSharpWords)
		t.signs.drop(call.SignAgentLost)
		t.signs.drop(call.SignAsksStop)
		t.valence = min(t.valence+0.5, max(t.valence, 0.3))
	}
	if t.patient && !t.accuses() {
		if t.words.Count <= 6 { // "it's not so bad"
			t.valence = max(t.valence, -0.2)
		}
		t.signs.drop(call.SignLetDown)
		t.signs.drop(call.SignInsists)
		t.signs.drop(call.SignCorrects)
	}
	if t.valence < valenceFrom || t.polite {
		return
	}
	for _, s := range [...]call.Sign{
		call.SignLetDown, call.SignCorrects, call.SignInsists, call.SignAsksStop, call.SignAgentLost, call.SignDistressed, call.SignBlames,
	} {
		t.signs.drop(s)
	}
}

// agreeing is the weight of approval and disapproval as feelings. The comments that the model
// learned from agree emphatically; on the phone, "I am, yes" and "no, I didn't" are just answers.
const agreeing = 0.3

// valence returns the probability that words are positive minus that they are negative, with the
// shares of mere agreement and disagreement reduced.
func (w *Words) valence() float64 {
	p := &w.P
	var glad, bad float32
	for k, v := range p[:Neutral] {
		switch k {
		case Admiration, Amusement, Approval, Caring, Desire, Excitement, Gratitude, Joy, Love, Optimism, Pride, Relief:
			glad += v
		case Anger, Annoyance, Disappointment, Disapproval, Disgust, Embarrassment, Fear, Grief, Nervousness, Remorse, Sadness:
			bad += v
		}
	}
	agrees, objects := float64(p[Approval]/(glad+1e-6)), float64(p[Disapproval]/(bad+1e-6))
	return float64(p[Positive])*(1-(1-agreeing)*agrees) - float64(p[Negative])*(1-(1-agreeing)*objects)
}

// hostile returns the probability that words are negative, times the share in it that is directed
// against somebody: anger and annoyance in full, disappointment and the like less than half, grief
// and fear not at all.
func (w *Words) hostile() float64 {
	p := &w.P
	against := p[Anger] + p[Annoyance] + 0.45*(p[Disappointment]+p[Disapproval]+p[Disgust])
	all := p[Anger] + p[Annoyance] + p[Disappointment] + p[Disapproval] + p[Disgust] +
		p[Embarrassment] + p[Fear] + p[Grief] + p[Nervousness] + p[Remorse] + p[Sadness]
	return float64(p[Negative]) * float64(against) / (float64(all) + 1e-6)
}

// valenceFrom is the distance from 0 from which on a valence is not neutral.
const valenceFrom = 0.25

func sentiment(valence float64) call.Sentiment {
	switch {
	case valence >= valenceFrom:
		return call.Positive
	case valence <= -valenceFrom:
		return call.Negative
	}
	return call.Neutral
}

// feeling returns the turn's result.
func (t *told) feeling(english bool) call.TurnFeeling {
	if english { // behaviour counts as much as words
		w := min(max(2*(max(t.ruled, t.frustration/2)-0.15), 0), 0.9)
		t.valence = min(t.valence, t.valence*(1-w)-w)
	}
	f := call.TurnFeeling{
		Turn: t.at, Valence: round(t.valence), Arousal: t.arousal, Frustration: round(t.frustration), Signs: t.signs.list(),
		Emotions: map[string]float64{},
	}
	if !english {
		return f
	}
	f.Sentiment = sentiment(f.Valence)
	names := LabelNames()
	for k, name := range names {
		switch k {
		case Anger, Annoyance, Disappointment, Confusion, Gratitude, Joy, Sadness, Fear, Neutral:
			f.Emotions[name] = round(float64(t.words.P[k]))
		default:
			if t.words.Is(k) {
				f.Emotions[name] = round(float64(t.words.P[k]))
			}
		}
	}
	return f
}

// round rounds to three decimals, so that differences in rounding between machines do not show.
func round(v float64) float64 {
	if v < 0 {
		return -round(-v)
	}
	return float64(int(v*1000+0.5)) / 1000
}
