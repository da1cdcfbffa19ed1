package decode

import "github.com/ringtrue/ringtrue/internal/audio"

const (
	// pieceSize is how many samples a piece of a track has, about.
	pieceSize = 1 << 20
	// pieceSpare is room for the block that fills it: none has more samples.
	pieceSpare = 1 << 16
)

// track is a channel on its way. It is held in pieces, because a slice that grows to
// hours is held twice over while it does.
type track struct {
	pieces []piece
	under  []int16 // the piece that is being filled
	length int     // samples of the pieces
}

// piece is a stretch of a track: n samples, of silence when there is no pcm.
type piece struct {
	pcm []int16
	n   int
}

// settle puts the piece away that is being filled, when it is full.
func (t *track) settle() {
	if len(t.under) >= pieceSize {
		t.put()
		t.under = make([]int16, 0, pieceSize+pieceSpare) // what is short has had one that grew
	}
}

func (t *track) put() {
	if len(t.under) == 0 {
		return
	}
	t.pieces = append(t.pieces, piece{t.under, len(t.under)})
	t.length += len(t.under)
	t.under = nil
}

// rest appends n samples of silence.
func (t *track) rest(n int) {
	t.put()
	t.pieces = append(t.pieces, piece{n: n})
	t.length += n
}

// narrow takes what there is from one rate to another, and lets go of it on the way.
// Silence that costs nothing stays so.
func (t *track) narrow(from, to int) {
	t.put()
	pieces := t.pieces
	*t = track{}
	r := audio.NewResampler(from, to)
	for i, p := range pieces {
		if p.pcm == nil {
			t.under = r.End(t.under)
			t.rest(int(int64(p.n) * int64(to) / int64(from)))
			r = r.Fresh()
		}
		t.under = r.Append(t.under, p.pcm)
		t.settle()
		pieces[i] = piece{}
	}
	t.under = r.End(t.under)
}

// whole puts the track together and lets go of its pieces on the way.
func (t *track) whole() []int16 {
	if len(t.pieces) == 0 {
		return t.under
	}
	t.put()
	out := make([]int16, t.length)
	at := 0
	for i, p := range t.pieces {
		copy(out[at:], p.pcm)
		at += p.n
		t.pieces[i] = piece{}
	}
	t.pieces = nil
	return out
}
