package app_test

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/app"
)

// TestTheDoctorLooksAtTheDataFolder and leaves it as it is, made or not.
func TestTheDoctorLooksAtTheDataFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for data, said := range map[string]string{
		folder:                                   "can be written",
		filepath.Join(folder, "data", "of-ours"): "can be made",
		file:                                     "a file stands",
		filepath.Join(file, "data"):              "a file stands",
	} {
		found, err := app.Examine(t.Context(), app.Options{Data: data, Media: app.MediaOptions{Off: true}, Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found, func(f app.Finding) bool { return f.Name == "data folder" })
		if i < 0 {
			t.Fatalf("%s: only %v", data, found)
		}
		if f := found[i]; !strings.Contains(f.Detail, said) || f.OK != strings.Contains(said, "can") || f.OK != (f.Hint == "") || !f.Needed {
			t.Errorf("%s: %+v, want %q", data, f, said)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("it has left %v, %v", left, err)
	}
}

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
