package emotion

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// BehaviourEngine and VoiceEngine name the other two judges and their versions,
// which change whenever the result for the same call can change.
const (
	BehaviourEngine = "ringtrue behaviour 21"
	VoiceEngine     = "ringtrue voice 1"
)

// Input is what is known of a call.
type Input struct {
	// Turns are those of both sides, in order. Whoever asks bounds them: each is held against those before it.
	Turns []call.Turn
	// Timed says that the turns carry the times of their first and last sound.
	Timed bool
	// Caller is the caller's channel, empty when it was not recorded by itself.
	Caller audio.Clip
	// End is how the call ended, Length how long it was (0 when that is not known).
	End    call.EndReason
	Length time.Duration
}

// Feel tells how the caller felt. A judge without anything to go by is not named
// in Engines; Reason says what the figures rest on.
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

// course is a call as it is judged.
type course struct {
	in      *Input
	turns   []told
	english bool
	// voiced says that arousal could be told; deaf why not.
	voiced bool
	deaf   string
}

// told is one turn of the caller's with what was found in it.
type told struct {
	// at is its place among all turns.
	at      int
	turn    *call.Turn
	words   Words
	content []uint32
	signs   signs
	// failed is how the agent failed just before.
	failed failing
	// asked says that the agent asked to hear it again, denies that the turn contradicts.
	asked, denies bool
	// answers says that it is a "no" to what the agent asked, and contradicts nothing.
	answers bool
	// sworn says that it is sharp by swear words alone, polite that it has thanks in
	// it, if only to decline.
	sworn, polite bool
	// declines says that its thanks are those of a refusal, concedes that it says
	// something kind before it objects.
	declines, concedes bool
	// ironic says that its praise is none, asks that it puts its wish as a request.
	ironic, asks bool
	// shouts says that words in it are written in capitals to be loud.
	shouts bool
	// heaps says that it tells of being let down more than once.
	heaps bool
	// target is whom its sharp words are said of, as far as there are any; patient
	// says that the turn makes light of what it tells.
	target  target
	patient bool
	// lasting is how frustrated the caller was in the turns just before.
	lasting float64
	// opens says that it is the first turn in which something is told.
	opens bool
	// formula says that the turn is a courtesy and nothing else.
	formula bool
	arousal *float64
	valence float64
	// facts are its words and those before it, as the temper sees them; spoken is the valence of its words
	// alone, ruled how frustrated the rules take it to be, and frustration what both come to, 0 to 1.
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

// nothing says why nothing is told.
func (c *course) nothing() string {
	if len(c.in.Turns) == 0 {
		return "nothing of the call was transcribed"
	}
	return "no words of the caller's were transcribed"
}
