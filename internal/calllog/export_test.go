package calllog

import "github.com/ringtrue/ringtrue/internal/strictjson"

// ReadAndForget is Read. It calls look with the record, before and after the payload is forgotten.
func ReadAndForget(reader Reader, payload []byte, look func(Record)) error {
	var memory strictjson.Memory
	r, err := readIn(&memory, reader, payload)
	look(r)
	memory.Forget()
	look(r)
	return err
}
