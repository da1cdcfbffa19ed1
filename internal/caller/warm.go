package caller

// Warm reads what the next Step will need from memory that other calls have driven
// out of the processor's cache; a line has it done for several callers at once, so
// that they do not wait for it one by one. What it returns means nothing.
func (c *Caller) Warm() int64 {
	sum := int64(c.at+c.pressing+c.agent.patience+c.agent.residualEnd) + int64(c.voice.pos)
	if c.hears.ears != nil {
		sum += int64(len(c.hears.turns))
	}
	if c.gone {
		return sum
	}
	if c.agent.activity != nil {
		sum += c.agent.activity.Warm()
	}
	if p, ok := c.mind.(*player); ok {
		sum += int64(p.index) + int64(p.began)
	}
	return sum
}
