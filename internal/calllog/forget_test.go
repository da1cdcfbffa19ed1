package calllog_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
)

// A record is whole without the payload that it was read from, whose memory is
// used for the next one: nothing of one call may come to stand in another.
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
