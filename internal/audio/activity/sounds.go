package activity

// softSound is what a soft beginning or end of speech sounds like: its level in
// each band in dB relative to the speaker's, and how often it is met before and after.
type softSound struct {
	bands [bandCount]int8
	share [2]float64
}

// unheard is the level of a band, and below, in which there is nothing.
const unheard = -60

// softSounds are the centres of the spectra that the windows before the first
// and after the last loud sound of an utterance have, of 160 sentences spoken by
// two synthesised voices (rms and slt) on a clean line; the last one is a stop
// within such a sound, where nothing is heard.
func softSounds() []softSound { return softTable[:] }

//nolint:gochecknoglobals // a table
var softTable = [...]softSound{
	{[bandCount]int8{-9, -17, -25, -34, -40, -40, -39, -39, -39, -35, -32, -34, -35}, [2]float64{0.035, 0.065}},
	{[bandCount]int8{-27, -29, -22, -24, -32, -31, -25, -24, -28, -24, -20, -24, -23}, [2]float64{0.107, 0.043}},
	{[bandCount]int8{-1, -7, -15, -25, -38, -38, -39, -39, -40, -39, -39, -39, -39}, [2]float64{0.078, 0.097}},
	{[bandCount]int8{1, -6, -10, -12, -21, -26, -35, -39, -38, -38, -38, -37, -39}, [2]float64{0.007, 0.024}},
	{[bandCount]int8{-0, -9, -9, -10, -25, -31, -15, -13, -24, -40, -40, -40, -40}, [2]float64{0.000, 0.053}},
	{[bandCount]int8{-33, -38, -38, -40, -40, -40, -38, -33, -25, -11, -7, -14, -20}, [2]float64{0.015, 0.033}},
	{[bandCount]int8{-11, -14, -15, -19, -23, -21, -19, -21, -27, -29, -28, -27, -27}, [2]float64{0.047, 0.001}},
	{[bandCount]int8{-6, -15, -20, -24, -33, -34, -25, -23, -32, -38, -38, -38, -38}, [2]float64{0.031, 0.049}},
	{[bandCount]int8{-15, -22, -23, -27, -33, -34, -32, -28, -29, -27, -24, -28, -28}, [2]float64{0.093, 0.019}},
	{[bandCount]int8{-24, -28, -24, -28, -37, -37, -37, -33, -27, -27, -17, -18, -18}, [2]float64{0.055, 0.091}},
	{[bandCount]int8{-3, -12, -26, -37, -40, -39, -39, -40, -40, -40, -40, -40, -40}, [2]float64{0.123, 0.124}},
	{[bandCount]int8{-9, -14, -21, -28, -35, -37, -39, -39, -36, -30, -26, -23, -27}, [2]float64{0.050, 0.004}},
	{[bandCount]int8{-22, -27, -30, -34, -37, -38, -38, -38, -36, -31, -25, -23, -26}, [2]float64{0.081, 0.015}},
	{[bandCount]int8{-36, -39, -35, -38, -40, -40, -40, -38, -38, -33, -23, -13, -4}, [2]float64{0.035, 0.109}},
	{[bandCount]int8{-10, -22, -35, -39, -40, -40, -40, -39, -39, -39, -39, -39, -39}, [2]float64{0.045, 0.111}},
	{[bandCount]int8{1, -6, -11, -21, -38, -39, -38, -37, -37, -31, -29, -33, -33}, [2]float64{0.029, 0.052}},
	{[bandCount]int8{-17, -20, -16, -21, -30, -30, -32, -30, -24, -23, -13, -12, -14}, [2]float64{0.037, 0.055}},
	{[bandCount]int8{-37, -38, -36, -37, -40, -40, -40, -40, -39, -36, -31, -20, -19}, [2]float64{0.133, 0.054}},
	{[bandCount]int8{unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard, unheard}, [2]float64{0.1, 0.1}},
}
