package app

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// TestAStopDoesNotWaitForOthers: a voice platform does not answer while the service stops. The
// request is told so, and nothing hangs.
func TestAStopDoesNotWaitForOthers(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 2)
	far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // what is not read hides that the other side has gone
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(far.Close)
	r := newRig(t, func(o *Options) { o.PlatformURLs = map[string]string{"platform_a": far.URL} })
	r.app.patience = 0
	told := make(chan error, 1)
	go func() {
		_, err := r.mine.api.SyncAgents(context.WithoutCancel(t.Context()), client.AgentSync{Provider: "platform_a", APIKey: "k"})
		told <- err
	}()
	<-asked
	r.stop(t)
	if err := <-told; !client.IsCode(err, "unavailable") || !strings.Contains(err.Error(), "the service is stopping") {
		t.Errorf("whoever waited was told %v", err)
	}
}
