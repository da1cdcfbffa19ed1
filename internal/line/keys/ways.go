package keys

// Way is how a key came.
type Way uint8

// The ways in which keys come.
const (
	ByEvent  Way = iota // in the media (RFC 4733)
	ByNotice            // in the signalling (SIP INFO)
)

// Ways finds the keys that come by both ways: some far ends, and gateways before them, send each
// press twice. The zero value is ready to use.
type Ways struct {
	single [16]single
	next   int // the place of the next one
}

// single is a key that has come by one way only.
type single struct {
	key byte
	way Way
	at  int64 // engine time
}

// bothNS is within which time a key comes by the other way: an event is complete when the key is
// released, a notice may come when it is pressed.
const bothNS = int64(2e9)

// Repeats reports whether a key that has come now had already come by the other way. Each press is
// counted off only once, so that a key pressed several times in a row is heard as often.
func (w *Ways) Repeats(key byte, way Way, now int64) bool {
	for i := range w.single {
		one := &w.single[(w.next+i)%len(w.single)] // the oldest first
		if one.key == key && one.way != way && now-one.at < bothNS {
			one.key = 0
			return true
		}
	}
	w.single[w.next] = single{key, way, now}
	w.next = (w.next + 1) % len(w.single)
	return false
}
