package emotion

import "github.com/ringtrue/ringtrue/internal/audio"

// listen tells the arousal of each turn from the caller's channel and reports
// whether it could.
func (c *course) listen(sound audio.Clip) bool {
	if len(sound.PCM) == 0 {
		c.deaf = "the caller's channel was not recorded by itself"
		return false
	}
	c.deaf = "there is too little speech"
	return false
}
