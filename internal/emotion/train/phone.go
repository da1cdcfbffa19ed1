package train

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

//go:embed phone.txt
var phoneLines string //nolint:gochecknoglobals // an embedded file has to be one

// phoneCopies is how many texts are made of each line with a slot, and how often
// one without is repeated.
const phoneCopies = 7

// Phone makes labelled texts of telephone speech from this package's lines.
func Phone(seed uint64) ([]Example, error) {
	lines, lists, err := phoneParts(phoneLines)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 5))
	var out []Example
	for _, line := range lines {
		for range phoneCopies {
			text, err := fill(line.Text, lists, random)
			if err != nil {
				return nil, err
			}
			out = append(out, Example{Text: dressed(text, random), Labels: line.Labels})
		}
	}
	return out, nil
}

// phoneParts reads the lines and the lists for their slots.
func phoneParts(all string) ([]Example, map[string][]string, error) {
	number := map[string]int{}
	for k, name := range emotion.LabelNames() {
		number[name] = k
	}
	var lines []Example
	lists := map[string][]string{}
	for line := range strings.Lines(all) {
		line = strings.TrimSpace(line)
		head, text, ok := strings.Cut(line, " | ")
		if line == "" || line[0] == '#' {
			continue
		}
		if !ok {
			return nil, nil, fmt.Errorf("%q: labels and a text are wanted, parted by a bar", line)
		}
		if name, isList := strings.CutPrefix(head, "@"); isList {
			lists[name] = strings.Split(text, "; ")
			continue
		}
		e := Example{Text: text}
		for name := range strings.SplitSeq(head, ",") {
			k, ok := number[name]
			if !ok {
				return nil, nil, fmt.Errorf("%q is no label", name)
			}
			e.Labels |= 1 << k
		}
		lines = append(lines, e)
	}
	return lines, lists, nil
}

// fill replaces the slots of a line.
func fill(text string, lists map[string][]string, random *rand.Rand) (string, error) {
	for {
		from := strings.LastIndexByte(text, '{')
		if from < 0 {
			return text, nil
		}
		to := from + strings.IndexByte(text[from:], '}')
		if to < from || len(lists[text[from+1:to]]) == 0 {
			return "", fmt.Errorf("%q has a slot that no list fills", text)
		}
		list := lists[text[from+1:to]]
		text = text[:from] + list[random.IntN(len(list))] + text[to+1:]
	}
}

// dressed writes some of the texts as a careful recogniser would: with a capital
// letter and a full stop or question mark.
func dressed(text string, random *rand.Rand) string {
	lead := []string{"", "", "", "", "Um, ", "So ", "Okay, ", "Yeah, ", "Well, ", "Hi, "}
	text = lead[random.IntN(len(lead))] + text
	if random.IntN(2) == 0 {
		return text
	}
	end := "."
	for _, w := range []string{"what", "when", "where", "how", "is", "are", "do", "does", "can", "could", "why"} {
		if strings.HasPrefix(text, w+" ") {
			end = "?"
		}
	}
	return strings.ToUpper(text[:1]) + text[1:] + end
}
