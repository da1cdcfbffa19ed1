package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// signWeight is what a sign adds to the frustration of its turn, as a share of
// what is missing to 1.
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

// wordsAlone is what hostile words count that nothing else bears out: neither
// what the caller does nor what the agent did. "Terrible" may be said of a cough.
const wordsAlone = 0.7

// judge sets what the words of a turn come to, and how frustrated the rules take it to be.
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

// ruledPart is how much of what the rules say counts beside the temper, which goes by it as well.
const ruledPart = 0.25

// tempered is how frustrated a turn is that sounds so frustrated where it stands. What is found by rules counts a little by
// itself, for words that no rated call has, and what the caller does and the voice whole: they cannot be read.
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

// calm is what is left of 1 when hostile words, signs, the agent's part and the
// turns before have taken their shares.
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
	// An agent that fails makes an annoyed caller more so; a patient one stays patient.
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

// weight is what a sign adds in this turn.
func (t *told) weight(s call.Sign) float64 {
	w := signWeight(s)
	if t.heaps && s == call.SignLetDown {
		w = 0.35
	}
	if t.opens && s == call.SignLetDown { // who calls about a fault has to tell it
		w *= 0.6
	}
	if t.asks && s == call.SignWantsPerson && !t.signs.has(call.SignRepeats) { // "could you put me through to billing please"
		w *= 0.5
	}
	if t.kindly(s) || s == call.SignCorrects && t.lasting < 0.1 { // the first time it may be no more than a report: "i tried that already"
		w *= 0.5
	}
	return w
}

// kindly reports whether a sign is one that a calm caller shows, too, and that comes
// with thanks or a "please": who declines an offer has to say the same again.
func (t *told) kindly(s call.Sign) bool {
	return (t.polite || t.asks) && (s == call.SignRepeats || s == call.SignInsists || s == call.SignCorrects)
}

// borne reports whether a sign bears hostile words out.
func (t *told) borne() bool {
	for _, s := range t.signs.list() {
		if s != call.SignThanks && !t.kindly(s) {
			return true
		}
	}
	return false
}

// lingering is how much of the frustration just before is in a turn that answers
// another hurdle, without a word of thanks and without any of joy.
const lingering = 0.35

// stays reports whether the frustration of the turns before is still there.
func (t *told) stays() bool {
	return t.failed.hurdle && t.valence < valenceFrom && !t.formula && !t.signs.has(call.SignThanks) && !t.patient
}

// accuses reports whether a turn says what no patient caller would.
func (t *told) accuses() bool {
	return t.signs.has(call.SignThreatens) || t.signs.has(call.SignSharpWords) || t.signs.has(call.SignBlames)
}

// aim is how much of hostile words is meant for whom the call is with: less where
// they are said of somebody else, or answer good news, or tell what the call is about.
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

// carry tells a turn how frustrated the two before it were, the nearer one more.
func (c *course) carry(i int) {
	t := &c.turns[i]
	if i > 0 {
		t.lasting = c.turns[i-1].ruled
	}
	if i > 1 {
		t.lasting = max(t.lasting, 0.7*c.turns[i-2].ruled)
	}
}

// lighten drops the signs that the words speak against: "bloody brilliant", "every
// time i come it's lovely". Words with thanks in them do not: that may be politeness.
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

// agreeing is what approval and disapproval count of a feeling. The comments that the
// words were learned from agree with relish; on the phone "I am, yes" and "no, I didn't" answer.
const agreeing = 0.3

// valence is the probability that words are positive minus that they are negative, less
// the share in each of what only agrees or disagrees, as far as that counts for little.
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

// hostile is the probability that words are negative, times the share in it of what is
// directed against somebody: anger and annoyance whole, the likes of
// disappointment less than half, grief and fear not at all.
func (w *Words) hostile() float64 {
	p := &w.P
	against := p[Anger] + p[Annoyance] + 0.45*(p[Disappointment]+p[Disapproval]+p[Disgust])
	all := p[Anger] + p[Annoyance] + p[Disappointment] + p[Disapproval] + p[Disgust] +
		p[Embarrassment] + p[Fear] + p[Grief] + p[Nervousness] + p[Remorse] + p[Sadness]
	return float64(p[Negative]) * float64(against) / (float64(all) + 1e-6)
}

// valenceFrom is how far from 0 a valence is no longer neutral.
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

// feeling is the turn as it is told.
func (t *told) feeling(english bool) call.TurnFeeling {
	if english { // what the caller does weighs as well as what is said
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

// round keeps three decimals, so that machines that round otherwise tell the same.
func round(v float64) float64 {
	if v < 0 {
		return -round(-v)
	}
	return float64(int(v*1000+0.5)) / 1000
}
