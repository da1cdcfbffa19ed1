package leg

// Ears recognise the far end's speech outside the media loop. One Ears value serves one call.
type Ears interface {
	// Hear passes in a frame of the far end's audio. It copies what it needs and never blocks.
	Hear(pcm []int16)
	// Words requests the words of everything heard since the previous call of Words (or since
	// the beginning). The result is delivered into l.
	Words(l *Letter[Words])
	// Close releases the resources of the ears. No letter is delivered after it.
	Close()
}

// Words is what the ears understood; Text is "" if there was nothing to understand.
type Words struct {
	Text string
	// Err is set when recognition itself failed.
	Err error
}
