package calllog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// When is when a call was whose records tell r, of which the first one arrived then.
func When(r Record, arrived time.Time) (start, end time.Time) { return when(r, arrived) }

// ReadAndForget is Read. It calls look with the record, before and after the payload is forgotten.
func ReadAndForget(reader Reader, payload []byte, look func(Record)) error {
	var memory strictjson.Memory
	r, err := readIn(&memory, reader, payload)
	look(r)
	memory.Forget()
	look(r)
	return err
}
