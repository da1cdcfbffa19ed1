package examples

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// refusing stands for livekit-client where nobody is let in. As that does, a room tells
// of its end after each try. The seconds between tries are no part of the test.
const refusing = `
export const RoomEvent = { Disconnected: 'disconnected' };
export const Track = { Source: {} };
export class Room extends EventTarget {
  on(name, act) { this.addEventListener(name, act); }
  once(name, act) { this.addEventListener(name, act, { once: true }); }
  disconnect() {}
  async connect() {
    this.dispatchEvent(new Event(RoomEvent.Disconnected));
    throw new Error('nobody is let in');
  }
}
const wait = globalThis.setTimeout;
globalThis.setTimeout = (act) => wait(act, 1);
`

// A program that runs the browser's agent learns by its exit that it took part in no call.
func TestRefusedBrowserSaysSo(t *testing.T) {
	t.Parallel()
	files, lines := http.FileServer(http.Dir("browser")), http.FileServer(http.Dir(speech(t)))
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/livekit-client.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(refusing))
		case filepath.Ext(r.URL.Path) == ".wav":
			lines.ServeHTTP(w, r)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(page.Close)
	agent := exec.CommandContext(t.Context(), "node", absolute(t, "browser/headless.js"))
	agent.Env = append(os.Environ(), "PAGE="+page.URL+"/", "ROOM_URL=ws://127.0.0.1:9", "ROOM_TOKEN=of another room")
	out, err := agent.CombinedOutput()
	if said := string(out); err == nil || !strings.Contains(said, "could not join: nobody is let in") || strings.Contains(said, "the call is over") {
		t.Errorf("an agent that nobody let in ended with %v and said:\n%s", err, said)
	}
}
