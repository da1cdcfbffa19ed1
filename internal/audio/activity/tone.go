package activity

import "math"

// Call progress tones (ITU-T E.180) are steady sums of one to three sine waves between 350 and 620 Hz, for example 440 + 480 Hz
// or 425 Hz for ringing, and 480 + 620 Hz for busy.
const (
	// Waves are sampled at toneRate, which suffices below 1000 Hz. A sample is compared with others up to
	// toneReach before it, in steps of toneLag: 7.5 to 45 ms.
	toneRate, toneLag = 2000, 15
	toneReach         = 6 * toneLag
	// toneFrameMost is how many samples at toneRate a frame may have, whatever the rate of the channel.
	toneFrameMost = 64
	// tonePure is the share of the energy from 339 to 640 Hz (bands toneFirst to toneLast) from which a frame may belong to a tone,
	// toneBegun that from which it may hold the beginning of one, which has a wider spectrum.
	tonePure, toneBegun = 0.9, 0.3
	toneFirst, toneLast = 2, 3
	// toneFrames is how many pure frames tell a tone from a vowel, and toneError the most that steady waves may leave unexplained,
	// relative to the energy. Of 245 s of two people on the telephone, no vowel of that length left less than 0.3. Tones leave
	// less than 0.03 at 20 dB above a hiss. toneMemory is how much of what is known counts one frame later.
	toneFrames, toneError, toneMemory = 8, 0.05, 0.93
)

// toneEar tells call progress tones from voices. For the length of a vowel, a voice can have all its energy where a tone has it, but
// its pitch moves. The samples x of up to three steady waves satisfy, whatever their frequencies, levels and phases are,
//
//	x[n] + x[n−6L] = a·(x[n−L] + x[n−5L]) + b·(x[n−2L] + x[n−4L]) + c·x[n−3L]
//
// for any lag L, where a, b and c depend on the frequencies alone. The ear fits these three to the last frames. Only a
// tone leaves hardly anything unexplained. Hearing does not allocate.
type toneEar struct {
	step   int32 // samples of the channel for one at toneRate
	skip   int32 // samples of the next frame that belong to the last sample taken
	known  int32 // samples taken since the run began
	sure   bool
	energy float32
	// sums are those of the products of y, the left side, and u, v and w, the right: yy yu yv yw uu uv uw vv vw ww.
	sums [10]float32
	past [toneReach]float32
}

// tone is what the ear says of a frame.
type tone uint8

const (
	noTone   tone = iota
	anyTone       // too little has been heard to tell
	someTone      // a call progress tone
)

// begin starts a new run of pure frames.
func (t *toneEar) begin() {
	t.skip, t.known, t.sure, t.energy = 0, 0, false, 0
	clear(t.sums[:])
}

// hear takes the next frame of a run of pure ones and counts it in run. The first frame of a run may hold what was before the
// tone, and is left out. A tone that is interrupted, as by lost packets, begins a new run.
func (t *toneEar) hear(pcm []int16, run *int32) tone {
	if *run == 0 {
		t.begin()
	} else {
		t.take(pcm)
	}
	if *run++; *run < toneFrames {
		return anyTone
	}
	was := t.sure
	t.sure = t.unexplained() <= toneError
	switch {
	case t.sure:
		return someTone
	case was:
		*run = 0
		return anyTone
	}
	return noTone
}

// take adds a frame to the sums.
func (t *toneEar) take(pcm []int16) {
	var x [toneReach + toneFrameMost]float32
	copy(x[:], t.past[:])
	end := toneReach + t.sample(pcm, x[toneReach:])
	t.energy *= toneMemory
	for k := range t.sums {
		t.sums[k] *= toneMemory
	}
	for i := toneReach; i < end; i++ {
		if t.known++; t.known > toneReach {
			t.add(x[i-toneReach : i+1])
		}
	}
	copy(t.past[:], x[end-toneReach:end])
}

// sample writes the means of step samples each to out, and returns how many there are.
func (t *toneEar) sample(pcm []int16, out []float32) (n int) {
	at, step := int(t.skip), int(t.step)
	for ; at+step <= len(pcm) && n < len(out); at += step {
		var sum int32
		for _, s := range pcm[at : at+step] {
			sum += int32(s)
		}
		out[n] = float32(sum)
		n++
	}
	t.skip = int32(max(at-len(pcm), 0))
	return n
}

// add adds the products of one sample, the last of x, and those before it.
func (t *toneEar) add(x []float32) {
	y, u := x[toneReach]+x[0], x[5*toneLag]+x[toneLag]
	v, w := x[4*toneLag]+x[2*toneLag], x[3*toneLag]
	t.energy += x[toneReach] * x[toneReach]
	s := &t.sums
	s[0] += y * y
	s[1] += y * u
	s[2] += y * v
	s[3] += y * w
	s[4] += u * u
	s[5] += u * v
	s[6] += u * w
	s[7] += v * v
	s[8] += v * w
	s[9] += w * w
}

// unexplained returns the energy that the waves leave after a least squares fit (Cholesky), relative to that of the sound.
func (t *toneEar) unexplained() float32 {
	s := &t.sums
	ridge := 1e-4*(s[4]+s[7]+s[9]) + 1 // fewer than three waves leave some of a, b and c open
	l1 := root(s[4] + ridge)
	l2, l3 := s[5]/l1, s[6]/l1
	l4 := root(max(s[7]+ridge-l2*l2, ridge))
	l5 := (s[8] - l2*l3) / l4
	l6 := root(max(s[9]+ridge-l3*l3-l5*l5, ridge))
	z1 := s[1] / l1
	z2 := (s[2] - l2*z1) / l4
	z3 := (s[3] - l3*z1 - l5*z2) / l6
	return (s[0] - z1*z1 - z2*z2 - z3*z3) / max(t.energy, 1)
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// toneShare returns the share of the energy in the bands of call progress tones.
func (s *spectrum) toneShare(e *[bandCount]float32) float32 {
	var in, all float32
	for k := range e {
		power := e[k] * float32(s.edges[k+1]-s.edges[k])
		all += power
		if k >= toneFirst && k <= toneLast {
			in += power
		}
	}
	return in / max(all, 1)
}
