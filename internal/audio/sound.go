package audio

import "time"

// Sound is a decoded recording: one slice per channel, all of the same length.
type Sound struct {
	Channels [][]int16
	// Rate is the sample rate of Channels in Hz.
	Rate int
	// Format is the original format: "wav/pcm16", "wav/mulaw", "flac", "mp3", "opus" and so on.
	Format string
	// Note says in plain words what is missing or was damaged, "" if nothing was.
	Note string
	// Cut is true if the file ended before its audio did.
	Cut bool
}

// Duration returns how long the sound plays, 0 if there is none.
func (s Sound) Duration() time.Duration {
	if len(s.Channels) == 0 {
		return 0
	}
	return length(len(s.Channels[0]), s.Rate)
}

// Blocks receives decoded audio piece by piece: one slice per channel, all of the same length,
// at rate Hz. The slices belong to the decoder and are valid only until Blocks returns. If it
// returns an error, the decoder stops and returns that error.
type Blocks func(rate int, block [][]int16) error

// Span is a range of samples; End is one past the last.
type Span struct{ Start, End int }
