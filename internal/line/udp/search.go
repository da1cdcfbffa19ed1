package udp

// MostBytes is the largest datagram that is processed.
const MostBytes = 2048

// search opens an even port and its successor where the system has free ones. probe returns the
// port that the system would assign next.
func search[P any](open func(port uint16) (P, error), probe func() (uint16, error)) (P, error) {
	const tries = 100
	var pair P
	var err error
	for range tries {
		var free uint16
		if free, err = probe(); err != nil {
			break
		}
		if pair, err = open(free &^ 1); err == nil {
			break
		}
	}
	return pair, err
}
