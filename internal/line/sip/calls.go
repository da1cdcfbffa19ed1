package sip

// Calls is how many dialogs live on the line, to the last one whose BYE has been answered.
func (l *Line) Calls() (all int) {
	for _, e := range l.endpoints() {
		all += e.alive()
	}
	return all
}

// Calls is how many calls live on the server.
func (s *Server) Calls() int { return s.e.alive() }

func (e *endpoint) alive() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.dialogs)
}
