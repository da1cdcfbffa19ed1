package train

import "math"

// The arithmetic of this package gives the same bits on every machine: products
// are rounded before they are added (the explicit conversions keep a compiler
// from fusing the two), and these functions do not depend on the processor.

// exponential returns e to the power of x.
func exponential(x float32) float32 {
	if x < -80 {
		return 0
	}
	x = min(x, 80)
	n := math.Floor(float64(float64(x)*math.Log2E) + 0.5)
	r := float64(x) - float64(n*math.Ln2)
	// Taylor's series for |r| below 0.35.
	sum, term := 1.0, 1.0
	for k := 1.0; k < 9; k++ {
		term = float64(term * r / k)
		sum += term
	}
	return float32(math.Ldexp(sum, int(n)))
}

// sigmoid is the logistic function.
func sigmoid(x float32) float32 { return 1 / (1 + exponential(-x)) }

// logarithm returns the natural logarithm of a positive number.
func logarithm(x float32) float32 {
	f, e := math.Frexp(float64(x))
	z := (f - 1) / (f + 1)
	sum, power := 0.0, z
	for k := 1.0; k < 40; k += 2 {
		sum += float64(power / k)
		power = float64(power * z * z)
	}
	return float32(float64(2*sum) + float64(float64(e)*math.Ln2))
}

// root returns the square root, which every machine rounds alike.
func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }
