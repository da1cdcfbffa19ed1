package activity

// The most expensive steps are computed here with four values at a time, in assembly, since Go has no
// vector operations. SSE2 is sufficient, which every amd64 processor has. The results are identical to
// those of spectrumplain.go.

// begin is beginPlainly, which is also used for smaller and folded windows.
func (s *spectrum) begin(on workbench, pcm []int16) {
	h := len(s.rev)
	if len(s.even) != h || h < 16 {
		s.beginPlainly(on, pcm)
		return
	}
	beginFour(&on.re[:h][0], &on.im[:h][0], &pcm[:2*h][0], &s.even[0], &s.odd[:h][0], &s.rev[0], h)
}

// stage is stagePlainly for four turns or more, a power of two.
func (t turns) stage(on workbench) {
	n, half := len(on.re), len(t.cos)
	stageFour(&on.re[0], &on.im[:n][0], &t.cos[0], &t.sin[:half][0], n, half)
}

// powers is powersPlainly.
func (t turns) powers(on workbench) {
	n := len(on.re)
	powersFour(&on.power[:n][0], &on.re[0], &on.im[:n][0], &t.cos[:n][0], &t.sin[:n][0], n)
}

//go:noescape
func beginFour(re, im *float32, pcm *int16, even, odd *float32, rev *int32, n int)

//go:noescape
func stageFour(re, im, cos, sin *float32, n, half int)

//go:noescape
func powersFour(power, re, im, cos, sin *float32, n int)
