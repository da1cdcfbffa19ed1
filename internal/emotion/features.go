package emotion

// Block is the kind of a feature; each kind is normalised by itself.
type Block uint8

// The kinds of features: words with pairs of neighbours, where a word that
// is denied counts as another, and letters (three to five
// neighbouring characters inside a word and its borders).
const (
	BlockWords Block = iota
	BlockLetters
	Blocks
)

// Feature is one thing seen in a text, by the hash of what it is.
type Feature struct {
	Hash  uint32
	Block Block
}

// Extractor turns texts into features, for the model and for its trainer alike.
// It is for one goroutine at a time; the zero value is ready.
type Extractor struct {
	toks tokens
	out  []Feature
	pad  []byte
}

// Features returns what is seen in a text, repetitions included. The slice is
// good until the next call.
func (x *Extractor) Features(text string) []Feature {
	x.toks.cut(text)
	return x.features()
}

func (x *Extractor) features() []Feature {
	x.out = x.out[:0]
	before := hashOf(nil, 'b')
	two := before
	var not denied
	for i, k := range x.toks.all {
		w := x.toks.of(k)
		h := hashOf(w, 'w')
		own, turned := h, not.next(&x.toks, i)
		if turned { // "not happy" is no kind of "happy"
			own = hashOf(w, 'n')
		}
		x.out = append(x.out, Feature{mix(own), BlockWords}, Feature{mix(before*31 ^ h*0x85ebca6b), BlockWords})
		if before != two {
			x.out = append(x.out, Feature{mix(two*131 ^ before*31 ^ h*0xc2b2ae35 ^ 0x7f4a7c15), BlockWords})
		}
		two, before = before, h
		if k.word {
			x.letters(w, turned)
		}
	}
	if len(x.toks.all) > 0 {
		x.out = append(x.out, Feature{mix(before*31 ^ 0x1b873593), BlockWords})
	}
	if !x.toks.written {
		x.turns()
	}
	return x.out
}

// turns adds the words that stand in the order of a question, for texts in which
// a question has no mark: what they tell there they do not tell beside one.
func (x *Extractor) turns() {
	for i := range x.toks.all {
		if !x.toks.turned(i) {
			continue
		}
		h, before := hashOf(x.toks.of(x.toks.all[i]), 'q'), hashOf(x.toks.of(x.toks.all[i-1]), 'q')
		x.out = append(x.out, Feature{mix(before), BlockWords}, Feature{mix(before*31 ^ h*0x85ebca6b), BlockWords})
	}
}

// letters adds the runs of three to five characters of a word with its borders, those
// of a denied word as others.
func (x *Extractor) letters(w []byte, turned bool) {
	kind := byte('c')
	if turned {
		kind = 'm'
	}
	x.pad = append(append(append(x.pad[:0], '_'), w...), '_')
	p := x.pad
	for i := 0; i+3 <= len(p); i++ {
		h := hashOf(p[i:i+3], kind)
		x.out = append(x.out, Feature{mix(h), BlockLetters})
		for n := 3; n < 5 && i+n < len(p); n++ {
			h = (h ^ uint32(p[i+n])) * 16777619
			x.out = append(x.out, Feature{mix(h), BlockLetters})
		}
	}
}

// hashOf is FNV-1a with a first letter that keeps kinds apart.
func hashOf(b []byte, kind byte) uint32 {
	h := (uint32(2166136261) ^ uint32(kind)) * 16777619
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// mix spreads a hash over all its bits.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
