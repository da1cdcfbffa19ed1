package speech

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// generalText is a small set of sentences as spoken on service lines, with {slots} for numbers,
// days and the like.
//
//go:embed general.txt
var generalText string

// commonWords are words that are likely on any service line. They only get the small
// probability of unseen words: without that, such a word would be recognised as several others.
//
//go:embed words.txt
var commonWords string

// telephoneMean is the cepstral mean of synthetic voices after G.711, averaged over flite's
// voices. The model's own mean was measured on wide-band speech; with that, the recogniser gets
// the first utterance of a process wrong.
const telephoneMean = "44,28,-24,51,-17,5,18,-26,16,-13,4.5,14,-10"

// sphinx recognises speech by running pocketsphinx.
type sphinx struct {
	programs *programs
	modelDir string
	slots    slots
	gate     func(context.Context) error
	log      *slog.Logger
}

// sphinxProgram is the program's name.
const sphinxProgram = "pocketsphinx_continuous"

// Engine implements review.Transcriber.
func (s *sphinx) Engine() (string, bool) {
	return "pocketsphinx 5prealpha, segment by segment, with other readings", true
}

// prepared is what one process needs on disk.
type prepared struct {
	dir  string
	done func()
	// args are the program's arguments except the input.
	args []string
	// unknown are the words of the hints that the dictionary does not contain.
	unknown []string
}

func checkEnglish(language string) error {
	lang := strings.ToLower(language)
	if lang == "" || lang == "en" || strings.HasPrefix(lang, "en-") {
		return nil
	}
	return problem.New(problem.Unavailable, "the local recogniser understands English, not %q", language).
		WithHint("Configure an HTTP endpoint for speech recognition.")
}

// prepare writes the language model and dictionary for the hints. Sentences in maybe get no
// higher probability than any other sentence on a service line.
func (s *sphinx) prepare(hints, maybe []string) (*prepared, error) {
	own := make([][]string, 0, len(hints))
	for _, h := range hints {
		own = append(own, sentences(h)...)
	}
	general, more := expand(generalText), strings.Fields(commonWords)
	var others [][]string
	for _, m := range maybe {
		others = append(others, sentences(m)...)
	}
	p, err := s.folder()
	if err != nil {
		return nil, err
	}
	dict := filepath.Join(p.dir, "words.dict")
	has, err := s.writeDictionary(dict, vocabularyOf(own, others, allWords(general, more)))
	if err != nil {
		p.done()
		return nil, err
	}
	for w := range vocabularyOf(own) {
		if !has[w] {
			p.unknown = append(p.unknown, w)
		}
	}
	for _, o := range known(others, has) {
		general = append(general, weighted{o, 1})
	}
	m := newModel(known(own, has), general, more)
	lm := filepath.Join(p.dir, "words.lm")
	if err := writeFile(lm, m); err != nil {
		p.done()
		return nil, err
	}
	p.args = append(p.args, "-dict", dict, "-lm", lm)
	return p, nil
}

func writeFile(path string, m *model) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the language model: %w", err)
	}
	err = m.writeARPA(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write the language model: %w", err)
	}
	return nil
}

// prepareGrammar writes a grammar and the dictionary for its words.
func (s *sphinx) prepareGrammar(grammar string) (*prepared, error) {
	p, err := s.folder()
	if err != nil {
		return nil, err
	}
	path, dict := filepath.Join(p.dir, "words.jsgf"), filepath.Join(p.dir, "words.dict")
	if err := os.WriteFile(path, []byte(grammar), 0o600); err != nil {
		p.done()
		return nil, fmt.Errorf("write the grammar: %w", err)
	}
	want := grammarWords(grammar)
	has, err := s.writeDictionary(dict, want)
	if err != nil {
		p.done()
		return nil, err
	}
	for w := range want {
		if !has[w] {
			p.done()
			return nil, problem.New(problem.Internal, "the grammar's word %q has no pronunciation", w)
		}
	}
	p.args = append(p.args, "-dict", dict, "-jsgf", path, "-beam", "1e-64", "-pbeam", "1e-64", "-wbeam", "1e-48")
	return p, nil
}

func (s *sphinx) folder() (*prepared, error) {
	dir, done, err := s.programs.workDir()
	if err != nil {
		return nil, err
	}
	params := filepath.Join(dir, "feat.params")
	if err := s.writeFeatures(params); err != nil {
		done()
		return nil, err
	}
	return &prepared{dir: dir, done: done, args: []string{
		"-hmm", filepath.Join(s.modelDir, "en-us"), "-featparams", params, "-logfn", os.DevNull,
	}}, nil
}

// writeFeatures copies the model's feature parameters, replacing the cepstral mean. The program
// gives that file precedence over its own argument -cmninit.
func (s *sphinx) writeFeatures(path string) error {
	params, err := os.ReadFile(filepath.Join(s.modelDir, "en-us", "feat.params"))
	if err != nil {
		return missingModel(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(params)) {
		if !strings.HasPrefix(line, "-cmninit") {
			out.WriteString(line)
		}
	}
	out.WriteString("\n-cmninit " + telephoneMean + "\n")
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		return fmt.Errorf("write the feature parameters: %w", err)
	}
	return nil
}

func missingModel(cause error) error {
	return problem.New(problem.Unavailable, "the recogniser's model is not installed").
		WithHint("Install it: apt-get install pocketsphinx-en-us").Because(cause)
}

// grammarWords returns the terminals of a JSGF grammar: what remains without comments, header,
// <rules>, {tags} and punctuation.
func grammarWords(grammar string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.SplitSeq(grammar, "\n") {
		line, _, _ = strings.Cut(line, "//")
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "grammar ") {
			continue
		}
		line = withoutBrackets(withoutBrackets(line, '<', '>'), '{', '}')
		line = strings.NewReplacer("public", " ").Replace(line)
		for _, w := range strings.FieldsFunc(line, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r == '\'')
		}) {
			words[w] = true
		}
	}
	return words
}

func withoutBrackets(s string, open, shut rune) string {
	inside := false
	return strings.Map(func(r rune) rune {
		switch {
		case r == open:
			inside = true
			return ' '
		case r == shut:
			inside = false
			return ' '
		case inside:
			return -1
		}
		return r
	}, s)
}
