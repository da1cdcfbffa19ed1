//go:build !amd64

package audio

func (s *spectrum) begin(on workbench, pcm []int16) { s.beginPlainly(on, pcm) }
func (t turns) stage(on workbench)                  { t.stagePlainly(on) }
func (t turns) powers(on workbench)                 { t.powersPlainly(on) }

// energy is the sum of squares.
func energy(pcm []int16) float64 { return float64(squares(pcm)) }
