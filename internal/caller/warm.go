package caller

// Warm reads what the next Step will need from memory that other calls have driven
// out of the processor's cache; a line has it done for several callers at once, so
// that they do not wait for it one by one. What it returns means nothing.
func (c *Caller) Warm() int64 {
	sum := int64(c.at+c.lastSound+c.pressing) + int64(len(c.digits)+len(c.hears.turns)+len(c.timeline)) +
		int64(c.agent.ended+c.agent.residualEnd) + int64(c.voice.pos) + int64(c.item.Input.Limits.MaxDurationMS)
	if c.gone {
		return sum
	}
	if c.agent.activity != nil {
		sum += c.agent.activity.Warm()
	}
	if p, ok := c.mind.(*player); ok {
		sum += int64(p.index+len(p.last)) + int64(p.began)
	}
	return sum
}
