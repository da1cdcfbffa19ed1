package media

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Keys sign requests and tokens. They must never be logged.
type Keys struct {
	Key, Secret string
}

// shortest is the length below which a secret could be found by brute force.
const shortest = 32

// KeysIn reads the embedded server's keys from a file, which it creates on the first start. The file is
// readable by its owner alone and has the format of the server's own key files: one line "key: secret".
func KeysIn(path string) (Keys, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newKeys(path)
	}
	if err != nil {
		return Keys{}, err
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		return Keys{}, problem.New(problem.Unavailable, "the media server's keys in %s can be read by others", path).
			WithHint("chmod 600 %s; if others may have read it, delete it instead: new keys are made, and the tokens of waiting rooms stop working", path)
	}
	key, secret, _ := strings.Cut(strings.TrimSpace(string(text)), ": ")
	if key == "" || len(secret) < shortest {
		return Keys{}, problem.New(problem.Unavailable, "the media server's keys in %s are damaged", path).
			WithHint("delete the file: new keys are made, and the tokens of waiting rooms stop working")
	}
	return Keys{Key: key, Secret: secret}, nil
}

// Fingerprint returns a string that identifies the keys without revealing them, "" if there are none.
func (k Keys) Fingerprint() string {
	if k.Key == "" || k.Secret == "" {
		return ""
	}
	sum := hmac.New(sha256.New, []byte(k.Secret))
	sum.Write([]byte("which keys are these?\x00" + k.Key))
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// newKeys writes new keys to a temporary file first, so that a crash leaves a complete file or
// none. If another process has created the file in the meantime, its keys are returned.
func newKeys(path string) (Keys, error) {
	keys := Keys{Key: "ringtrue" + rand.Text()[:12], Secret: rand.Text() + rand.Text()}
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // mode 0600
	if err != nil {
		return Keys{}, err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	_, err = out.WriteString(keys.Key + ": " + keys.Secret + "\n")
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return Keys{}, err
	}
	if err := os.Link(out.Name(), path); errors.Is(err, fs.ErrExist) {
		return KeysIn(path)
	} else if err != nil {
		return Keys{}, err
	}
	return keys, nil
}

// check returns what is wrong with keys given by an operator. Servers on this machine may have
// a short secret, as development servers do.
func (k Keys) check(local bool) []problem.Field {
	var wrong []problem.Field
	if k.Key == "" {
		wrong = append(wrong, problem.Field{Path: "--media-key", Message: "the media server's key is missing"})
	}
	if k.Secret == "" {
		wrong = append(wrong, problem.Field{Path: "--media-secret", Message: "the media server's secret is missing"})
	} else if len(k.Secret) < shortest && !local {
		wrong = append(wrong, problem.Field{Path: "--media-secret", Message: "the media server's secret needs 32 characters and more"})
	}
	return wrong
}
