package speech

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// dictionaryFile is the pronunciation dictionary in the model directory.
const dictionaryFile = "cmudict-en-us.dict"

// pick copies the pronunciations of the wanted words (and their variants "word(2)") from one
// dictionary to another, and returns the words found. With a small dictionary the recogniser
// starts in a tenth of the time.
func pick(in io.Reader, out io.Writer, want map[string]bool) (found map[string]bool, err error) {
	found = make(map[string]bool, len(want))
	w := bufio.NewWriter(out)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		head, _, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			continue
		}
		word, _, _ := strings.Cut(head, "(")
		if !want[word] {
			continue
		}
		found[word] = true
		fmt.Fprintln(w, lines.Text())
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the dictionary: %w", err)
	}
	return found, w.Flush()
}

// writeDictionary writes the part of the model's dictionary that covers the wanted words, and
// returns the words found.
func (s *sphinx) writeDictionary(path string, want map[string]bool) (map[string]bool, error) {
	in, err := os.Open(filepath.Join(s.modelDir, dictionaryFile))
	if err != nil {
		return nil, missingModel(err)
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write the dictionary: %w", err)
	}
	found, err := pick(in, out, want)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return found, err
}

func vocabularyOf(bodies ...[][]string) map[string]bool {
	words := map[string]bool{}
	for _, body := range bodies {
		for _, sentence := range body {
			for _, w := range sentence {
				words[w] = true
			}
		}
	}
	return words
}

// known removes words without a known pronunciation from each sentence.
func known(body [][]string, has map[string]bool) [][]string {
	var out [][]string
	for _, sentence := range body {
		var kept []string
		for _, w := range sentence {
			if has[w] {
				kept = append(kept, w)
			}
		}
		if len(kept) > 0 {
			out = append(out, kept)
		}
	}
	return out
}
