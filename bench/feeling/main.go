// Command feeling trains the model of feelings and measures it.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/emotion/train"
)

func main() {
	data := flag.String("data", "", "")
	write := flag.String("write", "", "")
	dev := flag.Bool("dev", false, "")
	flag.Parse()
	if *write != "" {
		all, err := train.Read(*data, "train")
		if err != nil {
			panic(err)
		}
		w, err := train.Make(all, train.Options{Progress: os.Stderr})
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(*write, w.Bytes(), 0o644); err != nil {
			panic(err)
		}
	}
	if *dev {
		m, err := emotion.New()
		if err != nil {
			panic(err)
		}
		all, _ := train.Read(*data, "dev")
		random := rand.New(rand.NewPCG(1, 9))
		for _, heard := range []bool{false, true} {
			var hit, said, real [32]float64
			begun := time.Now()
			for _, e := range all {
				text := e.Text
				if heard {
					text = train.AsHeard(text, random)
				}
				w := m.Words(text)
				y := train.Targets(e.Labels)
				for k := range y {
					if w.Is(k) {
						said[k]++
						if y[k] == 1 {
							hit[k]++
						}
					}
					if y[k] == 1 {
						real[k]++
					}
				}
			}
			took := time.Since(begun)
			l, g := 0.0, 0.0
			for k := range 31 {
				f := 2 * hit[k] / (said[k] + real[k])
				if k < 28 {
					l += f / 28
				}
				if k >= 27 {
					g += f / 4
				}
				fmt.Printf("%.2f ", f)
			}
			fmt.Printf("\nheard %v labels %.4f groups %.4f %v each\n", heard, l, g, took/time.Duration(len(all)))
		}
	}
}
