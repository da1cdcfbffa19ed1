package train

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Example is a labelled text.
type Example struct {
	Text string
	// Labels has one bit per label.
	Labels uint32
}

// Read reads a split ("train", "dev") of the GoEmotions TSV files in a folder:
// text, label numbers separated by commas, id.
func Read(dir, split string) ([]Example, error) {
	f, err := os.Open(filepath.Join(dir, split+".tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Example
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) < 2 {
			return nil, fmt.Errorf("%s.tsv, line %d: text and labels are wanted, parted by tabs", split, len(all)+1)
		}
		e := Example{Text: parts[0]}
		for n := range strings.SplitSeq(parts[1], ",") {
			k, err := strconv.Atoi(n)
			if err != nil || k < 0 || k >= 28 {
				return nil, fmt.Errorf("%s.tsv, line %d: %q is no label", split, len(all)+1, n)
			}
			e.Labels |= 1 << k
		}
		all = append(all, e)
	}
	return all, lines.Err()
}
