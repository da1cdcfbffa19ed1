package audio

import "time"

// Sound is a recording as it was decoded: one slice per channel, all of one length.
type Sound struct {
	Channels [][]int16
	// Rate is the sample rate of Channels in Hz.
	Rate int
	// Format says what it was: "wav/pcm16", "wav/mulaw", "flac", "mp3", "opus" and so on.
	Format string
	// Note says in plain words what is missing or was damaged; empty when nothing was.
	Note string
	// Cut says that the file ended before its sound did.
	Cut bool
}

// Duration is how long the sound plays; 0 when there is none.
func (s Sound) Duration() time.Duration {
	if len(s.Channels) == 0 {
		return 0
	}
	return length(len(s.Channels[0]), s.Rate)
}

// Blocks takes decoded sound piece by piece: one slice per channel, all of one
// length, at rate Hz. The slices are the decoder's own and hold only until Blocks
// returns. An error stops the decoder, which returns it.
type Blocks func(rate int, block [][]int16) error

// Span is a stretch of samples, End one past the last.
type Span struct{ Start, End int }
