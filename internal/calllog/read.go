package calllog

import (
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Read reads one payload with a provider's reader, and leaves out what may not be
// kept. An error is the client's mistake and names every wrong field, with paths
// that begin at "payload".
func Read(reader Reader, payload []byte) (Record, error) {
	return readIn(new(strictjson.Memory), reader, payload)
}

func readIn(memory *strictjson.Memory, reader Reader, payload []byte) (Record, error) {
	o, err := lenient.Parse(payload, memory)
	if err != nil {
		return Record{}, err
	}
	o = o.Named("payload")
	r := reader(o)
	if err := o.Err(); err != nil {
		return Record{}, err
	}
	return r.Under(r.Keep), nil
}
