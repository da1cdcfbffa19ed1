package app_test

import (
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/app"
)

// TestTheDoctorLooksAtTheEmbeddedMediaServer as a service does at its start: what keeps that, or its rooms, from coming up is needed.
func TestTheDoctorLooksAtTheEmbeddedMediaServer(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	taken.Close() // nobody answers there any more
	none := filepath.Join(t.TempDir(), "none.pem")
	for name, tt := range map[string]struct {
		media   app.MediaOptions
		missing string // "" when all is well
	}{
		"all is well":           {app.MediaOptions{}, ""},
		"no certificate":        {app.MediaOptions{CertFile: none, CertKeyFile: none}, "--media-cert"},
		"keys of its own":       {app.MediaOptions{Redis: "redis://127.0.0.1:1"}, "--media-key"},
		"a Redis that is away":  {app.MediaOptions{Redis: "redis://" + taken.Addr().String(), Key: "key", Secret: strings.Repeat("secret", 8)}, "Redis"},
		"no address of Redis's": {app.MediaOptions{Redis: "http://127.0.0.1", Key: "key", Secret: strings.Repeat("secret", 8)}, "--media-redis"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := app.Examine(t.Context(), app.Options{Media: tt.media, Log: slog.New(slog.DiscardHandler), Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			var bad strings.Builder
			for _, f := range found {
				if !f.OK && f.Needed && (f.Name == "media server" || f.Name == "Redis") {
					_, _ = bad.WriteString(f.Name + ": " + f.Detail)
				}
			}
			missing := bad.String()
			if (missing == "") != (tt.missing == "") || !strings.Contains(missing, tt.missing) {
				t.Errorf("missing %q, want %q", missing, tt.missing)
			}
		})
	}
}
