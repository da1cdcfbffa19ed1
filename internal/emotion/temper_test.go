package emotion

import "testing"

func TestLoadTemperRefusesWhatIsBroken(t *testing.T) {
	t.Parallel()
	whole := (&TemperWeights{Bias: 1, Step: 0.5, Hashes: []uint32{7}, Weights: []int8{-2}}).Bytes()
	for _, data := range [][]byte{nil, []byte("RTT1"), append([]byte("RTT2"), whole[4:]...), whole[:len(whole)-1], append(whole, 0)} {
		if _, err := loadTemper(data); err == nil {
			t.Errorf("%q was taken", data)
		}
	}
	got, err := loadTemper(whole)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.of(nil), got.of([]Fact{{7, 1}}); a < 0.731 || a > 0.732 || b != 0.5 {
		t.Errorf("%g without a fact, %g with one", a, b)
	}
}
