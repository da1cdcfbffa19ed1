// Command vader answers with the sentiment that VADER finds in texts: it reads one text per line
// and prints its compound score (−1 to 1) and the time taken in nanoseconds.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/jonreiter/govader"
)

func main() {
	analyzer := govader.NewSentimentIntensityAnalyzer()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		begun := time.Now()
		score := analyzer.PolarityScores(in.Text()).Compound
		fmt.Fprintf(out, "%g %d\n", score, time.Since(begun).Nanoseconds())
		if err := out.Flush(); err != nil {
			os.Exit(1)
		}
	}
}
