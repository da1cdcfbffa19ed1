package audio

// Span is a stretch of samples, End one past the last.
type Span struct{ Start, End int }

// Segments finds the stretches of speech in a whole channel.
func Segments(pcm []int16, rate int) []Span {
	if rate <= 0 {
		return nil
	}
	a, n := NewActivity(rate), rate/50
	var out []Span
	for i := 0; i+n <= len(pcm); i += n {
		if !a.Step(pcm[i : i+n]) {
			continue
		}
		if k := len(out); k > 0 && i-out[k-1].End < rate/5 {
			out[k-1].End = i + n
		} else {
			out = append(out, Span{i, i + n})
		}
	}
	return out
}
