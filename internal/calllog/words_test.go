package calllog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

// Secrets are not kept among a platform's words, in whatever form they occur.
func TestWordsWithoutSecrets(t *testing.T) {
	t.Parallel()
	r, err := calllog.Read(platformb.Reader(), []byte(`{"message":{"type":"end-of-call-report","call":{"id":"c1",
		"squad":"{\"members\":[{\"assistant\":{\"name\":\"Ann\",\"server\":{\"secret\":\"open1\"}}}]}"},
		"row":" [{\"n\":1e2,\"inner\":\"{\\\"api_key\\\":\\\"open2\\\"}\"}]","sip":[{"name":"X-Auth-Token","value":"open3"},{"name":"X-Lang","value":"de"}],
		"pairs":{"key":"Cookie","value":"open4"},"headers":{"cookie":"open5","Set-Cookie":["open6"],"accept":"a"},"idJwt":"open7","bearer":"open8",
		"plain":"{ \"a\" : 1.0 }","broken":"{secret","said":"[no] password here"}}`))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(r.Words)
	if err != nil || strings.Contains(string(written), "open") {
		t.Errorf("%s, %v", written, err)
	}
	for name, want := range map[string]any{
		"call.squad": `{"members":[{"assistant":{"name":"Ann","server":{}}}]}`, "plain": `{ "a" : 1.0 }`, "broken": "{secret", "said": "[no] password here",
	} {
		if r.Words[name] != want {
			t.Errorf("%s: %v", name, r.Words[name])
		}
	}
	if !strings.Contains(string(written), `"value":"de"`) || !strings.Contains(string(written), `1e2`) {
		t.Errorf("%s", written)
	}
}
