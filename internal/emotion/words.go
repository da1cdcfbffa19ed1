package emotion

import "math"

// Labels is the number of emotions that the model distinguishes, including neutral.
const Labels = 28

// LabelNames returns their names, in the order of the numbers in the training data.
func LabelNames() [Labels]string {
	return [...]string{
		"admiration", "amusement", "anger", "annoyance", "approval", "caring", "confusion", "curiosity", "desire", "disappointment",
		"disapproval", "disgust", "embarrassment", "excitement", "fear", "gratitude", "grief", "joy", "love", "nervousness",
		"optimism", "pride", "realization", "relief", "remorse", "sadness", "surprise", "neutral",
	}
}

// The outputs that are used by name.
const (
	Admiration     = 0
	Amusement      = 1
	Anger          = 2
	Annoyance      = 3
	Approval       = 4
	Caring         = 5
	Confusion      = 6
	Desire         = 8
	Disappointment = 9
	Disapproval    = 10
	Disgust        = 11
	Embarrassment  = 12
	Excitement     = 13
	Fear           = 14
	Gratitude      = 15
	Grief          = 16
	Joy            = 17
	Love           = 18
	Nervousness    = 19
	Optimism       = 20
	Pride          = 21
	Relief         = 23
	Remorse        = 24
	Sadness        = 25
	Neutral        = 27
	Positive       = 28
	Negative       = 29
	Ambiguous      = 30
	Neither        = 31
)

// Traits is the number of plain facts about a text beside its sums: a constant 1, its
// length, whether it has a question mark, whether it exclaims, the share of its features
// that are known, and whether it begins, is worded, and ends as a question.
const Traits = 8

// Forms is the number of forms of text with a second stage of their own: as written, and
// as heard, without capitals and marks.
const Forms = 2

// Words is what a text says about the speaker's feelings.
type Words struct {
	// P are the probabilities of the outputs, 0 to 1.
	P Sums
	// Said has one bit for each output whose probability reaches its limit.
	Said uint32
	// Count is the number of words that were read.
	Count int
}

// Is reports whether an output counts as present.
func (w *Words) Is(output int) bool { return w.Said>>output&1 == 1 }

// scratch is the memory of one reading.
type scratch struct {
	x Extractor
	// seen is the number of the reading in which a row was last met.
	seen []uint32
	now  uint32
	met  [Blocks][]uint32
}

// Words judges a text, of which it only reads the first 4096 bytes. It does not allocate.
func (m *Model) Words(text string) Words {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	s.x.toks.cut(text)
	return m.read(s)
}

// read judges the text in the scratch.
func (m *Model) read(s *scratch) Words {
	known, all := m.meet(s)
	sums := m.bias
	for b := range s.met {
		m.add(&sums, s.met[b])
	}
	traits := TraitsOf(&s.x, known, all)
	w := Words{Count: s.x.toks.words}
	form := FormOf(&s.x)
	for k := range w.P {
		row := &m.stack[form][k]
		var z float32
		for j, v := range sums {
			z += float32(row[j] * v)
		}
		for j, v := range traits {
			z += float32(row[Outputs+j] * v)
		}
		w.P[k] = float32(1 / (1 + math.Exp(-float64(z))))
		if w.P[k] >= m.limits[form][k] {
			w.Said |= 1 << k
		}
	}
	return w
}

// meet finds the rows of the text's features, without duplicates, by kind, and counts how
// many of its features are known.
func (m *Model) meet(s *scratch) (known, all int) {
	s.now++
	if s.now == 0 {
		clear(s.seen)
		s.now = 1
	}
	for b := range s.met {
		s.met[b] = s.met[b][:0]
	}
	for _, f := range s.x.features() {
		all++
		r := m.find(f.Hash)
		if r < 0 {
			continue
		}
		known++
		if s.seen[r] != s.now {
			s.seen[r] = s.now
			s.met[f.Block] = append(s.met[f.Block], uint32(r))
		}
	}
	return known, all
}

// add adds the weights of rows, scaled so that the vector of their rarities has length 1.
func (m *Model) add(sums *Sums, rows []uint32) {
	var square float32
	for _, r := range rows {
		v := RarityOf(m.rows[int(r)*rowBytes+4])
		square += float32(v * v)
	}
	norm := 1 / float32(math.Sqrt(float64(square)+1e-9))
	for _, r := range rows {
		b := m.rows[int(r)*rowBytes:][:rowBytes]
		v := RarityOf(b[4]) * norm * m.steps[b[5]]
		w := (*[Outputs]byte)(b[6:])
		for k := range sums {
			sums[k] += float32(float32(int8(w[k])) * v)
		}
	}
}

// TraitsOf returns the traits of the text that was read last, known of whose all features
// the model knows.
func TraitsOf(x *Extractor, known, all int) [Traits]float32 {
	t := [Traits]float32{1, float32(min(x.toks.words, 30)) / 30}
	for _, k := range x.toks.all {
		if k.word {
			continue
		}
		switch x.toks.text[k.start] {
		case '?':
			t[2] = 1
		case '!':
			t[3] = 1
		}
	}
	if all > 0 {
		t[4] = float32(known) / float32(all)
	}
	t[5], t[6], t[7] = x.toks.asking()
	return t
}

// FormOf returns the form of the text that was read last: 0 as written, 1 as heard.
func FormOf(x *Extractor) int {
	if x.toks.written {
		return 0
	}
	return 1
}
