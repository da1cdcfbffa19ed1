package sip

// Calls returns the number of dialogs on the line, including those whose BYE has not been answered yet.
func (l *Line) Calls() (all int) {
	for _, e := range l.endpoints() {
		all += e.alive()
	}
	return all
}

// Calls returns the number of calls on the server.
func (s *Server) Calls() int { return s.e.alive() }

func (e *endpoint) alive() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.dialogs)
}
