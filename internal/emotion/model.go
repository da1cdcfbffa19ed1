package emotion

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

//go:embed weights.bin
var embedded []byte //nolint:gochecknoglobals // an embedded file has to be one

// WordsEngine names the word model and its version, which is raised whenever the result for the
// same text may change.
const WordsEngine = "ringtrue words 11"

// Outputs is the number of sums that the model computes for a text: one for each of the 28 labels,
// and whether it is positive, negative, ambiguous, or neither positive nor negative.
const Outputs = 32

// Sums are the sums of a text's features, by output.
type Sums = [Outputs]float32

// Row is what the model knows about a feature: its weight by rarity, the step size of its weights,
// and the weights in steps.
type Row struct {
	Hash    uint32
	Rarity  uint8
	Step    uint8
	Weights [Outputs]int8
}

// rowBytes is the encoded length of a Row.
const rowBytes = 4 + 1 + 1 + Outputs

// Weights is the result of training.
type Weights struct {
	Bias Sums
	// Stack turns the sums into logits of the outputs: for each form of text, a matrix whose columns
	// are the sums followed by the Traits of the text.
	Stack [Forms][Outputs][Outputs + Traits]float32
	// Limits are the probabilities from which on an output counts as present, by form.
	Limits [Forms]Sums
	// Rows are sorted by hash, without duplicates.
	Rows []Row
}

// Model judges feelings from words. It is safe for concurrent use.
type Model struct {
	bias   Sums
	stack  [Forms][Outputs][Outputs + Traits]float32
	limits [Forms]Sums
	rows   []byte
	// slots is a hash table of rows: the index of the row plus 1, 0 for an empty slot.
	slots  []uint32
	shift  uint
	steps  [256]float32
	temper *temper
	// book holds the phrases that are signs, challenges those that are signs after a hurdle.
	book, challenges *phraseBook

	pool sync.Pool
}

// New returns the model with the embedded weights.
func New() (*Model, error) { return Load(embedded, embeddedTemper) }

// NewTempered is New with another temper than the embedded one, for training and measuring it.
func NewTempered(w *TemperWeights) (*Model, error) { return Load(embedded, w.Bytes()) }

// WeightBytes returns the size of the embedded weights.
func WeightBytes() int { return len(embedded) + len(embeddedTemper) }

// magic begins a file of weights.
const magic = "RTF2"

const headBytes = 4 + 4 + 4*(Outputs+Forms*(Outputs*(Outputs+Traits)+Outputs))

// Load reads weights encoded by Weights.Bytes and TemperWeights.Bytes. The model retains data.
func Load(data, temperData []byte) (*Model, error) {
	if len(data) < headBytes || string(data[:4]) != magic {
		return nil, errors.New("these are no weights of this model")
	}
	n := int(binary.LittleEndian.Uint32(data[4:]))
	if n < 0 || n > 1<<20 || len(data) != headBytes+n*rowBytes {
		return nil, fmt.Errorf("the weights are broken: %d rows in %d bytes", n, len(data))
	}
	m := &Model{rows: data[headBytes:], book: newPhraseBook(slices.Concat(phrases(), plainly(), unanswered(), outspoken(), impatient(), idioms())), challenges: newPhraseBook(challenges())}
	var err error
	if m.temper, err = loadTemper(temperData); err != nil {
		return nil, err
	}
	at := 8
	next := func() float32 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))
		at += 4
		return v
	}
	for k := range m.bias {
		m.bias[k] = next()
	}
	for f := range m.stack {
		for k := range m.stack[f] {
			for j := range m.stack[f][k] {
				m.stack[f][k][j] = next()
			}
		}
		for k := range m.limits[f] {
			m.limits[f][k] = next()
		}
	}
	for i := range m.steps {
		m.steps[i] = StepOf(uint8(i))
	}
	m.index(n)
	m.pool.New = func() any { return &scratch{seen: make([]uint32, n)} }
	return m, nil
}

// Bytes returns the encoded weights.
func (w *Weights) Bytes() []byte {
	out := append(make([]byte, 0, headBytes+len(w.Rows)*rowBytes), magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(w.Rows)))
	put := func(v float32) { out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v)) }
	for _, v := range w.Bias {
		put(v)
	}
	for f := range w.Stack {
		for k := range w.Stack[f] {
			for _, v := range w.Stack[f][k] {
				put(v)
			}
		}
		for _, v := range w.Limits[f] {
			put(v)
		}
	}
	for i := range w.Rows {
		r := &w.Rows[i]
		out = append(binary.LittleEndian.AppendUint32(out, r.Hash), r.Rarity, r.Step)
		for _, v := range r.Weights {
			out = append(out, byte(v))
		}
	}
	return out
}

// StepOf returns the step size of a row's weights.
func StepOf(code uint8) float32 { return float32(math.Ldexp(eighths(code%8), int(code/8)-24)) }

// eighths returns powers of two from one to below two.
func eighths(k uint8) float64 {
	return [...]float64{1, 1.0905077, 1.1892071, 1.2968396, 1.4142136, 1.5422108, 1.6817928, 1.8340081}[k]
}

// RarityOf returns the weight that an encoded rarity gives to a feature.
func RarityOf(code uint8) float32 { return float32(code) / 20 }

// index fills the slots.
func (m *Model) index(rows int) {
	bits := uint(1)
	for 1<<bits < 2*rows {
		bits++
	}
	m.shift = 32 - bits
	m.slots = make([]uint32, 1<<bits)
	for i := range rows {
		h := binary.LittleEndian.Uint32(m.rows[i*rowBytes:])
		at := h >> m.shift
		for m.slots[at] != 0 {
			at = (at + 1) & uint32(len(m.slots)-1)
		}
		m.slots[at] = uint32(i) + 1
	}
}

// find returns the row of a hash, −1 when there is none.
func (m *Model) find(hash uint32) int {
	for at := hash >> m.shift; ; at = (at + 1) & uint32(len(m.slots)-1) {
		s := m.slots[at]
		if s == 0 {
			return -1
		}
		if binary.LittleEndian.Uint32(m.rows[int(s-1)*rowBytes:]) == hash {
			return int(s - 1)
		}
	}
}
