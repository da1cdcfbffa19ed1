package api

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Feeling is how the caller felt during a call.
type Feeling struct {
	Sentiment   *string  `json:"sentiment" enum:"negative,neutral,positive" doc:"How the caller felt on the whole; null, like the figures, when there was too little to tell, and, like the valence, when the words could not be read, as those that are not English"`
	Valence     *float64 `json:"valence" doc:"Mean over the caller's turns, -1 (unpleasant) to 1 (pleasant)"`
	Worst       *float64 `json:"worst" doc:"Lowest valence of a turn, -1 to 1"`
	Change      *float64 `json:"change" doc:"Mean valence of the last third of the call minus that of the first; null with fewer than three turns"`
	Frustration *float64 `json:"frustration" doc:"How frustrated the caller was, 0 to 1"`
	Upset       bool     `json:"upset" doc:"true: the caller was clearly upset"`
	UpsetTurn   *int     `json:"upset_turn" doc:"Index of the turn that shows it; null when the caller was not upset"`
	Reason      string   `json:"reason" doc:"Why the figures are what they are, or why there are none"`
	// Engines name what judged, by role.
	Engines map[string]string `json:"engines" doc:"What judged, by role (words, behaviour, voice, model), each with its version"`
	// Judged is never set inside a Judged.
	Judged *Feeling `json:"judged,omitempty" doc:"What a language model says of the same call; left out when none was asked"`
}

// TurnFeeling is how the caller felt in one turn.
type TurnFeeling struct {
	Valence     *float64           `json:"valence" doc:"How pleasant the turn is, -1 (unpleasant) to 1 (pleasant); null when its words could not be read"`
	Sentiment   *string            `json:"sentiment" enum:"negative,neutral,positive" doc:"The valence in a word: negative up to -0.25, positive from 0.25; null when it is not known"`
	Arousal     *float64           `json:"arousal" doc:"How excited the voice is, -1 to 1, compared with this caller's other turns; null when there is too little speech"`
	Emotions    map[string]float64 `json:"emotions" doc:"Probability of each emotion, 0 to 1, by name, such as anger or joy"`
	Frustration float64            `json:"frustration" doc:"How frustrated the turn is, 0 to 1"`
	Signs       []string           `json:"signs" enum:"repeats,told_before,wants_person,interrupts,hangs_up,sharp_words,not_understood,raised_voice,asks_to_stop,corrects,insists,blames,threatens,let_down,retorts,distressed,thanks,goes_silent" doc:"What the caller did that tells of it, such as repeats, wants_person, interrupts or thanks"`
}

func wireFeeling(f *call.Feeling) *Feeling {
	if f == nil {
		return nil
	}
	out := &Feeling{Reason: f.Reason, Engines: f.Engines, Judged: wireFeeling(f.Judged), Upset: f.Upset}
	if out.Engines == nil {
		out.Engines = map[string]string{}
	}
	if f.Upset && f.UpsetTurn >= 0 {
		out.UpsetTurn = &f.UpsetTurn
	}
	if len(f.Turns) == 0 {
		return out
	}
	out.Sentiment, out.Frustration = rest.OrNull(string(f.Sentiment)), rounded(f.Frustration)
	if f.Sentiment != "" {
		out.Valence, out.Worst = rounded(f.Valence), rounded(f.Worst)
	}
	if f.Change != nil {
		out.Change = rounded(*f.Change)
	}
	return out
}

// feltIn is the feeling of each turn, by its index.
func feltIn(f *call.Feeling) map[int]*TurnFeeling {
	out := map[int]*TurnFeeling{}
	if f == nil {
		return out
	}
	for _, t := range f.Turns {
		wire := &TurnFeeling{
			Sentiment: rest.OrNull(string(t.Sentiment)), Frustration: zeroed(rounded(t.Frustration)),
			Emotions: make(map[string]float64, len(t.Emotions)), Signs: make([]string, len(t.Signs)),
		}
		if t.Sentiment != "" {
			wire.Valence = rounded(t.Valence)
		}
		if t.Arousal != nil {
			wire.Arousal = rounded(*t.Arousal)
		}
		for name, p := range t.Emotions {
			wire.Emotions[name] = zeroed(rounded(p))
		}
		for i, sign := range t.Signs {
			wire.Signs[i] = string(sign)
		}
		out[t.Turn] = wire
	}
	return out
}

// rounded is a figure to the thousandth, nil for what JSON cannot write.
func rounded(v float64) *float64 { return finite(math.Round(v*1000) / 1000) }

func zeroed(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
