package blob

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"gocloud.dev/blob"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// wavType is the media type of what Keep stores.
const wavType = "audio/wav"

// pieceSamples is how much of a channel is written at a time.
const pieceSamples = 1 << 15

func (f *files) Keep(ctx context.Context, key string, t *leg.Tape) (call.Recording, error) {
	if t.Rate() == 0 {
		return call.Recording{}, errors.New("nothing to keep: the tape was never begun")
	}
	rec, err := f.KeepSound(ctx, key, t.Rate(), t.Channel(leg.CallerChannel), t.Channel(leg.AgentChannel))
	if err != nil {
		f.refused.Store(&refused{key: key, bytes: t.Samples() * 2 * 2})
	}
	rec.CallerCoverage, rec.AgentCoverage = coverage(t, leg.CallerChannel), coverage(t, leg.AgentChannel)
	return rec, err
}

// refused is a tape that could not be kept.
type refused struct {
	key   string
	bytes int64
}

func (f *files) Ready() error {
	last := f.refused.Load()
	if last == nil {
		return nil
	}
	if err := f.try(*last); err != nil {
		return unkept(err)
	}
	f.refused.CompareAndSwap(last, nil)
	return nil
}

// try writes as much beside the place of a tape, to a file without a name.
func (f *files) try(of refused) error {
	folder := filepath.Dir(filepath.Join(f.folder, of.key))
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, "*"+begunSuffix)
	if err != nil {
		return err
	}
	err = os.Remove(file.Name()) // before it takes room: whoever is killed leaves nothing
	for piece := make([]byte, 1<<16); of.bytes > 0 && err == nil; of.bytes -= int64(len(piece)) {
		_, err = file.Write(piece)
	}
	return errors.Join(err, file.Close())
}

// unkept says why a recording could not be kept.
func unkept(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return problem.New(problem.Unavailable, "there is no room left for recordings").
			WithHint("free space on the disk of the data folder").Because(err)
	}
	return fmt.Errorf("keep a recording: %w", err)
}

func (f *files) KeepSound(ctx context.Context, key string, rate int, caller, agent []int16) (call.Recording, error) {
	if err := checkKey(key); err != nil {
		return call.Recording{}, err
	}
	// One that is fetched again has the same key: what a process that died had begun goes.
	if _, err := f.deleteBegun(key); err != nil {
		return call.Recording{}, err
	}
	tally := &tally{digest: sha256.New()}
	err := f.write(ctx, key, func(w io.Writer) error {
		return writeSound(io.MultiWriter(w, tally), rate, caller, agent)
	})
	if err != nil {
		return call.Recording{}, unkept(err)
	}
	return call.Recording{
		Key: key, Type: wavType, Rate: rate, Samples: int64(max(len(caller), len(agent))), Bytes: tally.bytes,
		CallerCoverage: 1, AgentCoverage: 1, SHA256: hex.EncodeToString(tally.digest.Sum(nil)),
	}, nil
}

// write stores what fill writes, all of it or nothing. fileblob writes beside
// the final name and renames, but syncs neither file nor folder: we do both,
// the file before it gets its name.
func (f *files) write(ctx context.Context, key string, fill func(io.Writer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var file *os.File
	w, err := f.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: wavType,
		BeforeWrite: func(as func(any) bool) error {
			if !as(&file) {
				return errors.New("the bucket gives no file to sync")
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	err = fill(w)
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		// A cancelled writer drops what it has.
		cancel()
		return errors.Join(err, ignoreCanceled(w.Close()))
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.syncFolders(key)
}

func ignoreCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// writeSound writes caller left, agent right; the shorter one is filled up with silence.
func writeSound(w io.Writer, rate int, caller, agent []int16) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	length := max(len(caller), len(agent))
	out, err := audio.NewWAVWriter(buffered, rate, 2, int64(length))
	if err != nil {
		return err
	}
	for from := 0; from < length; from += pieceSamples {
		to := from + pieceSamples
		if err := out.Write(piece(caller, from, to), piece(agent, from, to)); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return buffered.Flush()
}

func piece(pcm []int16, from, to int) []int16 {
	return pcm[min(from, len(pcm)):min(to, len(pcm))]
}

// coverage is the share of the tape that a channel was given. A place written
// twice counts once at most over the whole.
func coverage(t *leg.Tape, channel int) float64 {
	if t.Samples() == 0 {
		return 0
	}
	return min(1, float64(t.Written(channel))/float64(t.Samples()))
}

// tally measures what passes.
type tally struct {
	bytes  int64
	digest hash.Hash
}

func (t *tally) Write(p []byte) (int, error) {
	t.bytes += int64(len(p))
	return t.digest.Write(p)
}
