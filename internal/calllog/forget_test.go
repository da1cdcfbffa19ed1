package calllog_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
)

// A record must not refer to its payload's memory, which is reused for the next
// one: otherwise one call's data could show up in another.
func TestARecordOutlivesItsPayload(t *testing.T) {
	t.Parallel()
	for provider, p := range platforms() {
		for name, payload := range readertest.Fixtures(t, p.folder) {
			var looks [][]byte
			err := calllog.ReadAndForget(p.reader, payload, func(r calllog.Record) {
				text, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				looks = append(looks, text)
			})
			if err != nil || !bytes.Equal(looks[0], looks[1]) {
				t.Errorf("%s/%s was\n%s and became\n%s (%v)", provider, name, looks[0], looks[1], err)
			}
		}
	}
}
