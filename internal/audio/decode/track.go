package decode

import "github.com/ringtrue/ringtrue/internal/audio"

const (
	// pieceSize is the approximate number of samples in a piece of a track.
	pieceSize = 1 << 20
	// pieceSpare is room for the block that completes a piece: no block has more samples.
	pieceSpare = 1 << 16
)

// track is a channel being assembled. It is stored in pieces, because growing a single slice to
// hours needs twice the memory.
type track struct {
	pieces []piece
	under  []int16 // the piece being filled
	length int     // total samples of the pieces
}

// piece is a stretch of a track: n samples, silent if pcm is nil.
type piece struct {
	pcm []int16
	n   int
}

// settle stores the piece being filled if it is full.
func (t *track) settle() {
	if len(t.under) >= pieceSize {
		t.put()
		t.under = make([]int16, 0, pieceSize+pieceSpare) // the first piece of a short track grows from small
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

// narrow resamples the track, releasing the old samples on the way. Silence without samples stays so.
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

// whole returns the track as one slice, releasing its pieces on the way.
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
