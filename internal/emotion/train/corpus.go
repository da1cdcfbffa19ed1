package train

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// vocabulary numbers the features used, in the order of their hashes.
type vocabulary struct {
	index map[uint32]int32
	hash  []uint32
	block []emotion.Block
	// idf is the inverse document frequency of each feature.
	idf []float32
}

// counted is a feature with the number of texts that contain it.
type counted struct {
	hash  uint32
	block emotion.Block
	texts int
}

// newVocabulary uses the features that occur in at least the given number of texts,
// per block.
func newVocabulary(texts []string, least [emotion.Blocks]int) *vocabulary {
	type seen struct{ texts, last int32 }
	count := map[emotion.Feature]*seen{}
	var x emotion.Extractor
	for i, text := range texts {
		for _, f := range x.Features(text) {
			s := count[f]
			if s == nil {
				s = &seen{last: -1}
				count[f] = s
			}
			if s.last != int32(i) {
				s.texts++
				s.last = int32(i)
			}
		}
	}
	var all []counted
	for f, s := range count {
		if int(s.texts) >= least[f.Block] {
			all = append(all, counted{f.Hash, f.Block, int(s.texts)})
		}
	}
	slices.SortFunc(all, func(a, b counted) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return int(a.block) - int(b.block)
	})
	v := &vocabulary{index: map[uint32]int32{}}
	for _, c := range all {
		if _, ok := v.index[c.hash]; ok {
			continue
		}
		v.index[c.hash] = int32(len(v.hash))
		v.hash = append(v.hash, c.hash)
		v.block = append(v.block, c.block)
		v.idf = append(v.idf, emotion.RarityOf(rarityCode(1+logarithm(float32(len(texts)+1)/float32(c.texts+1)))))
	}
	return v
}

// bag is a text as the numbers of its features, without duplicates, words first.
type bag struct {
	features []int32
	values   []float32
}

// bags converts texts with a vocabulary.
func (v *vocabulary) bags(texts []string) []bag {
	out := make([]bag, len(texts))
	var x emotion.Extractor
	stamp := make([]int32, len(v.hash))
	for i, text := range texts {
		var words, letters []int32
		for _, f := range x.Features(text) {
			k, ok := v.index[f.Hash]
			if !ok || stamp[k] == int32(i)+1 {
				continue
			}
			stamp[k] = int32(i) + 1
			if v.block[k] == emotion.BlockWords {
				words = append(words, k)
			} else {
				letters = append(letters, k)
			}
		}
		out[i] = bag{features: append(slices.Clip(words), letters...)}
		out[i].values = make([]float32, len(out[i].features))
		v.weigh(out[i].features[:len(words)], out[i].values[:len(words)])
		v.weigh(out[i].features[len(words):], out[i].values[len(words):])
	}
	return out
}

// weigh gives the features values that form a vector of length 1.
func (v *vocabulary) weigh(features []int32, values []float32) {
	var sum float32
	for _, k := range features {
		sum += float32(v.idf[k] * v.idf[k])
	}
	norm := 1 / root(sum+1e-9)
	for i, k := range features {
		values[i] = float32(v.idf[k] * norm)
	}
}
