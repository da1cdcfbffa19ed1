package monitor

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
)

// A call whose words could not be read has no valence, and is not taken for a neutral one.
func TestValenceIsThatOfCallsWhoseWordsWereRead(t *testing.T) {
	t.Parallel()
	var c bucket.Counts
	var listed []*float64
	for _, felt := range []call.Feeling{
		{Turns: []call.TurnFeeling{{}}, Valence: -0.8, Frustration: 0.2, Sentiment: call.Negative},
		{Turns: []call.TurnFeeling{{}}, Frustration: 0.4}, // not English: behaviour alone
	} {
		var f Fact
		f.feel(&felt, nil)
		countFeeling(&c, &f)
		listed = append(listed, upsetCallOf(&f).Valence)
	}
	if listed[0] == nil || *listed[0] != -0.8 || listed[1] != nil {
		t.Errorf("the calls are listed with valences of %v", listed)
	}
	m := moodOf(&c)
	if m.N != 2 || m.Valence == nil || *m.Valence != -0.8 || m.Frustration == nil || *m.Frustration != 0.3 {
		t.Errorf("the mood is %+v with a valence of %v and a frustration of %v", m, m.Valence, m.Frustration)
	}
	valence, _ := figureOf("valence")
	if v, ok := valence.seen(&c, nil); !ok || v != -0.8 || valence.on(&c) != 1 {
		t.Errorf("the figure is %v of %d calls", v, valence.on(&c))
	}
}
