package calllog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// When exports when.
func When(r Record, arrived time.Time) (start, end time.Time) { return when(r, arrived) }

// ReadAndForget is Read, except that it calls look with the record before and after the payload's
// memory is forgotten.
func ReadAndForget(reader Reader, payload []byte, look func(Record)) error {
	var memory strictjson.Memory
	r, err := readIn(&memory, reader, payload)
	look(r)
	memory.Forget()
	look(r)
	return err
}
