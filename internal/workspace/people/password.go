package people

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Cost is what hashing a password takes.
type Cost struct {
	// Memory is in KiB, Passes how often it is gone over.
	Memory, Passes uint32
}

// defaultCost is 19 MiB and two passes, about 20 ms: the least that OWASP advises.
func defaultCost() Cost { return Cost{Memory: 19 << 10, Passes: 2} }

const (
	saltBytes = 16
	hashBytes = 32
	// hashing is how many passwords are hashed at a time: memory is bounded by it.
	hashing = 4
	// hashPatience is how long a password waits for its turn.
	hashPatience = 5 * time.Second
	// maxCost bounds what a hash in the database may ask for.
	maxMemory, maxPasses = 256 << 10, 16
)

// hasher hashes a few passwords at a time.
type hasher struct {
	cost   Cost
	random io.Reader
	turns  chan struct{}
	// nobody is a hash of no password, for people who are not there.
	nobody string
}

func newHasher(cost Cost, random io.Reader) (*hasher, error) {
	h := &hasher{cost: cost, random: random, turns: make(chan struct{}, hashing)}
	var err error
	h.nobody, err = h.hash(context.Background(), "a password that nobody has")
	return h, err
}

// turn waits for leave to use memory; done gives it back.
func (h *hasher) turn(ctx context.Context) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, hashPatience)
	defer cancel()
	select {
	case h.turns <- struct{}{}:
		return func() { <-h.turns }, nil
	case <-ctx.Done():
		e := problem.New(problem.RateLimited, "too many people are signing in at the moment")
		e.RetryAfter = hashPatience
		return nil, e
	}
}

// hash returns "$argon2id$v=19$m=…,t=…,p=1$salt$hash".
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	done, err := h.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(h.random, salt); err != nil {
		return "", fmt.Errorf("draw a salt: %w", err)
	}
	sum := argon2.IDKey([]byte(password), salt, h.cost.Passes, h.cost.Memory, 1, hashBytes)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, h.cost.Memory, h.cost.Passes, encode(salt), encode(sum)), nil
}

// fits reports whether the password is the one that was hashed. It takes as long
// when kept is "" as when it is a hash.
func (h *hasher) fits(ctx context.Context, kept, password string) (bool, error) {
	real := kept != ""
	if !real {
		kept = h.nobody
	}
	cost, salt, want, err := parseHash(kept)
	if err != nil {
		return false, err
	}
	done, err := h.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	got := argon2.IDKey([]byte(password), salt, cost.Passes, cost.Memory, 1, hashBytes)
	return subtle.ConstantTimeCompare(got, want) == 1 && real, nil
}

// outdated reports whether a hash was made at another cost than is asked for now.
func (h *hasher) outdated(kept string) bool {
	cost, _, _, err := parseHash(kept)
	return err == nil && cost != h.cost
}

func parseHash(text string) (c Cost, salt, sum []byte, err error) {
	broken := fmt.Errorf("a password is kept in a form that is not known")
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, broken
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=1", &c.Memory, &c.Passes); n != 2 || err != nil {
		return c, nil, nil, broken
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || sumErr != nil || len(salt) < 8 || len(sum) != hashBytes ||
		c.Passes < 1 || c.Passes > maxPasses || c.Memory < 8 || c.Memory > maxMemory {
		return c, nil, nil, broken
	}
	return c, salt, sum, nil
}

// The bounds of a password, in characters.
const (
	minPassword = 10
	maxPassword = 200
)

// checkPassword refuses a new password that is too easy, or none.
func checkPassword(path, password, email string) *problem.Field {
	n := utf8.RuneCountInString(password)
	bad := func(message string) *problem.Field { return &problem.Field{Path: path, Message: message} }
	switch {
	case n < minPassword:
		return bad("must have at least 10 characters")
	case n > maxPassword:
		return bad("must not have more than 200 characters")
	case !utf8.ValidString(password) || strings.ContainsFunc(password, unicode.IsControl):
		return bad("must be plain text in one line")
	case strings.EqualFold(password, email):
		return bad("must not be the e-mail address")
	case strings.Trim(password, string([]rune(password)[:1])) == "":
		return bad("must not be one character over and over")
	}
	return nil
}
