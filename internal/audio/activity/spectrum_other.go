//go:build !amd64

package activity

func (s *spectrum) begin(on workbench, pcm []int16) { s.beginPlainly(on, pcm) }
func (t turns) stage(on workbench)                  { t.stagePlainly(on) }
func (t turns) powers(on workbench)                 { t.powersPlainly(on) }
