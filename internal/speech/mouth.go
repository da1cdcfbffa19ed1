package speech

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// maxClip bounds the size of a program's audio file.
const maxClip = 64 << 20

// meanPitch returns the mean pitch (Hz) of a flite voice, to which a persona's pitch is
// relative; 0 if there is no such voice.
func meanPitch(voice string) float64 {
	switch voice {
	case "rms":
		return 92
	case "slt":
		return 170
	case "awb":
		return 128
	case "kal", "kal16":
		return 105
	}
	return 0
}

// defaultVoice is the voice for personas without one.
const defaultVoice = "slt"

// localMouth synthesises with flite, or with espeak-ng for accents that flite lacks.
type localMouth struct {
	programs *programs
	slots    slots
	timeout  time.Duration
}

// Engine implements Mouth.
func (m *localMouth) Engine() string { return "flite" }

// Say implements Mouth.
func (m *localMouth) Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	name, args, err := command(p, language)
	if err != nil {
		return audio.Clip{}, err
	}
	text, err = cleanLine(text)
	if err != nil {
		return audio.Clip{}, err
	}
	if name == "flite" {
		text = latin(text)
	}
	if err := m.slots.take(ctx); err != nil {
		return audio.Clip{}, err
	}
	defer m.slots.give()
	return m.synthesise(ctx, name, args, text)
}

// cleanLine returns the text in a form that a synthesiser can take, or an error.
func cleanLine(text string) (string, error) {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if text == "" || len(text) > scenario.MaxSpoken {
		return "", problem.Invalid(problem.Field{Path: "say", Message: fmt.Sprintf("a line must have 1 to %d bytes of text", scenario.MaxSpoken)})
	}
	return text, nil
}

// synthesise runs the program with its input and output in a private directory, so that text is
// never a command-line argument.
func (m *localMouth) synthesise(ctx context.Context, name string, args []string, text string) (audio.Clip, error) {
	dir, done, err := m.programs.workDir()
	if err != nil {
		return audio.Clip{}, err
	}
	defer done()
	in, out := filepath.Join(dir, "line.txt"), filepath.Join(dir, "line.wav")
	if err := os.WriteFile(in, []byte(text+"\n"), 0o600); err != nil {
		return audio.Clip{}, fmt.Errorf("write the line: %w", err)
	}
	files := []string{"-f", in, "-o", out}
	if name == "espeak-ng" {
		files = []string{"-f", in, "-w", out}
	}
	if _, err := m.programs.run(ctx, m.timeout, prioLive, name, append(args, files...)...); err != nil {
		return audio.Clip{}, err
	}
	return readClip(out, name)
}

func readClip(path, engine string) (audio.Clip, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return audio.Clip{}, problem.New(problem.Unavailable, "%s produced no audio", engine).Because(err)
	}
	return clipFromWAV(data, engine)
}

func clipFromWAV(data []byte, engine string) (audio.Clip, error) {
	wav, err := audio.ReadWAV(bytes.NewReader(data), maxClip)
	if err != nil {
		return audio.Clip{}, problem.New(problem.Unavailable, "%s produced audio that cannot be read", engine).Because(err)
	}
	if len(wav.Channels) == 0 || len(wav.Channels[0]) == 0 {
		return audio.Clip{}, problem.New(problem.Unavailable, "%s produced empty audio", engine)
	}
	return audio.Clip{PCM: wav.Channels[0], Rate: wav.Rate}, nil
}

// command returns the program and its arguments for a persona.
func command(p scenario.Persona, language string) (string, []string, error) {
	if bad := checkPersona(p, language); bad != nil {
		return "", nil, bad
	}
	pitch, pace := factor(p.Pitch), factor(p.Pace)
	accent := strings.ToLower(p.Accent)
	if espeakHas(accent) {
		return "espeak-ng", []string{
			"-v", accent + espeakVariant(p.Voice), "-s", strconv.Itoa(int(165 * pace)),
			"-p", strconv.Itoa(min(99, int(50*pitch))),
		}, nil
	}
	voice := p.Voice
	if accent == "en-scotland" {
		voice = "awb"
	}
	if voice == "" {
		voice = defaultVoice
	}
	args := []string{"-voice", voice}
	if pitch != 1 {
		args = append(args, "--setf", fmt.Sprintf("int_f0_target_mean=%.1f", meanPitch(voice)*pitch))
	}
	if pace != 1 {
		args = append(args, "--setf", fmt.Sprintf("duration_stretch=%.3f", 1/pace))
	}
	return "flite", args, nil
}

func factor(f float64) float64 {
	if f == 0 {
		return 1
	}
	return f
}

// espeakHas reports whether espeak-ng has an accent, by its own name. American English and
// Scottish English (the voice awb) are synthesised with flite.
func espeakHas(accent string) bool {
	switch accent {
	case "en-gb", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029":
		return true
	}
	return false
}

// espeakVariant returns a male or female variant in accordance with the voice that an accent replaces.
func espeakVariant(voice string) string {
	if voice == "" || voice == "slt" {
		return "+f2"
	}
	return "+m3"
}

// checkPersona returns an error if the local synthesis does not support the persona. Paths are
// relative to the persona.
func checkPersona(p scenario.Persona, language string) error {
	var bad []problem.Field
	if lang := strings.ToLower(language); lang != "" && lang != "en" && !strings.HasPrefix(lang, "en-") {
		bad = append(bad, problem.Field{Path: "language", Message: fmt.Sprintf("the local voices speak English, not %q", language)})
	}
	if p.Voice != "" && meanPitch(p.Voice) == 0 {
		bad = append(bad, problem.Field{Path: "persona.voice", Message: fmt.Sprintf("there is no voice %q; the voices are rms, slt, awb, kal16 and kal", p.Voice)})
	}
	accent := strings.ToLower(p.Accent)
	if !espeakHas(accent) && accent != "" && accent != "en-us" && accent != "en-scotland" {
		bad = append(bad, problem.Field{Path: "persona.accent", Message: fmt.Sprintf("there is no accent %q; the accents are en-us, en-scotland, and with espeak-ng en-gb, en-gb-x-rp, en-gb-x-gbclan, en-gb-x-gbcwmd and en-029", p.Accent)})
	}
	if !factorFits(p.Pitch) {
		bad = append(bad, problem.Field{Path: "persona.pitch", Message: "must lie between 0.5 and 2"})
	}
	if !factorFits(p.Pace) {
		bad = append(bad, problem.Field{Path: "persona.pace", Message: "must lie between 0.5 and 2"})
	}
	if len(bad) == 0 {
		return nil
	}
	return problem.Invalid(bad...)
}

// factorFits reports whether a factor is in range or unset. NaN is not.
func factorFits(f float64) bool { return f == 0 || (f >= 0.5 && f <= 2) }
