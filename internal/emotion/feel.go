package emotion

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// BehaviourEngine and VoiceEngine name the other two judges with their versions, which are raised
// whenever the result for the same call may change.
const (
	BehaviourEngine = "ringtrue behaviour 22"
	VoiceEngine     = "ringtrue voice 1"
)

// Input is what is known about a call.
type Input struct {
	// Turns are those of both sides, in order. The caller of Feel must limit their number, because each
	// is compared with those before it.
	Turns []call.Turn
	// Timed says that the turns have the times of their first and last sound.
	Timed bool
	// Caller is the caller's channel, empty if it was not recorded separately.
	Caller audio.Clip
	// End is how the call ended, Length its length (0 if unknown).
	End    call.EndReason
	Length time.Duration
}

// Feel judges how the caller felt. A judge that has nothing to judge by is not listed in Engines;
// Reason says what the result is based on.
func (m *Model) Feel(in Input) call.Feeling {
	c := m.course(&in)
	out := call.Feeling{Engines: map[string]string{}, Turns: []call.TurnFeeling{}, UpsetTurn: -1}
	if len(c.turns) == 0 {
		out.Reason = c.nothing()
		return out
	}
	if c.english {
		out.Engines["words"] = WordsEngine
	}
	out.Engines["behaviour"] = BehaviourEngine
	if c.listen(in.Caller) {
		out.Engines["voice"] = VoiceEngine
	}
	c.behave()
	worst := 0.0
	for i := range c.turns {
		t := &c.turns[i]
		c.carry(i)
		t.judge(c.english)
		if t.frustration = t.ruled; c.english {
			t.frustration = t.tempered(m.temper.of(t.ruledFacts(i, worst)))
		}
		worst = max(worst, t.ruled)
		out.Turns = append(out.Turns, t.feeling(c.english))
	}
	c.overall(&out)
	return out
}

// course is the state of judging a call.
type course struct {
	in      *Input
	turns   []told
	english bool
	// voiced says that arousal could be judged, deaf why it could not.
	voiced bool
	deaf   string
}

// told is one turn of the caller with what was found in it.
type told struct {
	// at is its index among all turns.
	at      int
	turn    *call.Turn
	words   Words
	content []uint32
	signs   signs
	// failed is how the agent failed just before it.
	failed failing
	// asked says that the agent asked the caller to repeat it, denies that the turn contradicts.
	asked, denies bool
	// answers says that it is a plain "no" to the agent's question, which contradicts nothing.
	answers bool
	// sworn says that only swear words make it sharp, polite that it contains thanks, even if only to
	// decline.
	sworn, polite bool
	// declines says that its thanks belong to a refusal, concedes that its kind words only introduce an
	// objection.
	declines, concedes bool
	// ironic says that its praise is not meant, asks that it states its wish as a request.
	ironic, asks bool
	// shouts says that some words are in capitals for emphasis.
	shouts bool
	// heaps says that it mentions being let down more than once.
	heaps bool
	// target is whom its sharp words are directed at, if there are any; patient says that the turn
	// plays down its complaint.
	target  target
	patient bool
	// lasting is how frustrated the caller was in the preceding turns.
	lasting float64
	// opens says that it is the first turn with any content.
	opens bool
	// formula says that the turn is only a courtesy.
	formula bool
	arousal *float64
	valence float64
	// facts are its words and those before it, as the temper sees them. spoken is the valence of its
	// words alone, ruled the frustration according to the rules, and frustration the result of both, 0
	// to 1.
	facts              []Fact
	spoken             float64
	ruled, frustration float64
}

// course reads all turns.
func (m *Model) course(in *Input) *course {
	c := &course{in: in}
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	var lang language
	agent, of, begun := agentSide{}, topic{friendly: m.friendly(in.Turns, s)}, false
	var former []uint32
	for i := range in.Turns {
		t := &in.Turns[i]
		s.x.toks.cut(t.Text)
		if t.Speaker != call.Caller {
			agent.hear(&s.x.toks)
			continue
		}
		if len(s.x.toks.all) == 0 {
			continue
		}
		lang.add(m, &s.x.toks, t.Text)
		k := told{at: i, turn: t, words: m.read(s), failed: agent.answered(&s.x.toks), denies: denies(&s.x.toks)}
		k.facts, former = sightOf(&s.x, former)
		k.asked = k.failed.asked
		of.follow(&s.x.toks, k.failed.refused > 0 && !k.failed.sorry || k.failed.stuck > 0)
		k.content = content(&s.x.toks)
		k.answers = k.failed.question && answersNo(&s.x.toks, k.content, agent.said)
		k.signs, k.sworn = m.spot(&s.x.toks)
		k.heaps = m.heaps(&s.x.toks)
		k.target = blamed(&s.x.toks)
		k.patient = patient(&s.x.toks)
		k.shouts = shouts(t.Text)
		if k.failed.hurdle && m.retorts(&s.x.toks, agent.said) {
			k.signs.add(call.SignRetorts)
		}
		if k.ironic = ironic(&s.x.toks, k.failed.flat); k.ironic {
			k.signs.add(call.SignRetorts)
		}
		k.asks = anyOf(&s.x.toks, " please ", " could i ", " could you ", " can i ", " may i ", " would you ", " id like to ", " i would like to ")
		k.polite = anyOf(&s.x.toks, " thank ", " thanks ")
		k.declines = declines(&s.x.toks)
		k.concedes = concedes(&s.x.toks)
		k.formula = courtesy(&s.x.toks)
		k.opens = !begun && !k.formula
		begun = begun || k.opens
		c.turns = append(c.turns, k)
	}
	if len(c.turns) == 1 {
		c.turns[0].opens = false
	}
	c.english = lang.english()
	return c
}

// nothing says why no feeling could be judged.
func (c *course) nothing() string {
	if len(c.in.Turns) == 0 {
		return "nothing of the call was transcribed"
	}
	return "no words of the caller's were transcribed"
}
