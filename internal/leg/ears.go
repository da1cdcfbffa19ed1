package leg

// Ears understand the far end's speech outside the media loop. They belong to
// one call.
type Ears interface {
	// Hear hands over a frame of the far end. It copies what it needs and never blocks.
	Hear(pcm []int16)
	// Words asks for the words of all that was heard since the last Words (or
	// since the beginning); the answer is delivered into the letter.
	Words(l *Letter[Words])
	// Close frees what the ears hold. No letter is delivered after it.
	Close()
}

// Words is what ears understood; Text is "" when there was nothing to understand.
type Words struct {
	Text string
	// Err says that the ears themselves failed.
	Err error
}
