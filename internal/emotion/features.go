package emotion

// Block is a kind of feature; each kind is normalised separately.
type Block uint8

// The kinds of features: words and pairs of neighbouring words, with negated words
// distinct from others; and letters, runs of three to five characters within a word
// and its borders.
const (
	BlockWords Block = iota
	BlockLetters
	Blocks
)

// Feature is one feature of a text, as a hash.
type Feature struct {
	Hash  uint32
	Block Block
}

// Extractor extracts the features of texts, for both the model and its trainer. It is
// not safe for concurrent use; the zero value is ready for use.
type Extractor struct {
	toks tokens
	out  []Feature
	pad  []byte
}

// Features returns the features of a text, with repetitions. The slice is only valid
// until the next call.
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
		if turned { // "not happy" is not a kind of "happy"
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

// turns adds word pairs in the order of a question, for texts without question marks.
// With a mark, they would mean something else.
func (x *Extractor) turns() {
	for i := range x.toks.all {
		if !x.toks.turned(i) {
			continue
		}
		h, before := hashOf(x.toks.of(x.toks.all[i]), 'q'), hashOf(x.toks.of(x.toks.all[i-1]), 'q')
		x.out = append(x.out, Feature{mix(before), BlockWords}, Feature{mix(before*31 ^ h*0x85ebca6b), BlockWords})
	}
}

// letters adds the runs of three to five characters of a word with its borders; those
// of a negated word are distinct.
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

// hashOf returns an FNV-1a hash that begins with a byte for the kind.
func hashOf(b []byte, kind byte) uint32 {
	h := (uint32(2166136261) ^ uint32(kind)) * 16777619
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// mix distributes a hash over all of its bits.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
