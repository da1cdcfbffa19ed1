package media_test

import (
	"path/filepath"
	"testing"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/media/mediatest"
)

func TestBothWays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "media.key")
	keys, err := media.KeysIn(file)
	if err != nil {
		t.Fatal(err)
	}
	inside, err := media.Embed(t.Context(), media.EmbedOptions{KeyFile: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("embedded", func(t *testing.T) { mediatest.Run(t, inside, keys) })
	if err := inside.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
