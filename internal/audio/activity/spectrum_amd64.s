#include "textflag.h"

// ROW loads four complex samples, the even ones for real and the odd ones for imaginary
// parts, and weighs them: a pair of samples is one number of 32 bits, the odd one on top.
#define ROW(pcm, even, odd, RE, IM) \
	MOVOU    pcm, IM  \
	MOVO     IM, RE   \
	PSLLL    $16, RE  \
	PSRAL    $16, RE  \
	PSRAL    $16, IM  \
	CVTPL2PS RE, RE   \
	CVTPL2PS IM, IM   \
	MOVUPS   even, X8 \
	MULPS    X8, RE   \
	MOVUPS   odd, X8  \
	MULPS    X8, IM

// APART leaves the sum in A and the difference in D.
#define APART(A, B, D) \
	MOVAPS A, D \
	ADDPS  B, A \
	SUBPS  B, D

// COLUMNS puts what stands one above the other in A, B, C and D side by side, and each
// such four to where the bits of its number, reversed, say.
#define COLUMNS(A, B, C, D, to) \
	MOVAPS   A, X12             \
	MOVAPS   C, X13             \
	UNPCKLPS B, A               \
	UNPCKHPS B, X12             \
	UNPCKLPS D, C               \
	UNPCKHPS D, X13             \
	MOVAPS   A, B               \
	MOVAPS   X12, D             \
	MOVLHPS  C, A               \
	MOVHLPS  B, C               \
	MOVLHPS  X13, X12           \
	MOVHLPS  D, X13             \
	MOVLQSX  0(R11), AX         \
	MOVLQSX  4(R11), BX         \
	MOVUPS   A, (to)(AX*4)      \
	MOVUPS   C, (to)(BX*4)      \
	MOVLQSX  8(R11), AX         \
	MOVLQSX  12(R11), BX        \
	MOVUPS   X12, (to)(AX*4)    \
	MOVUPS   X13, (to)(BX*4)

// func beginFour(re, im *float32, pcm *int16, even, odd *float32, rev *int32, n int)
//
// What the first two stages join are samples a quarter of all apart: four such rows are
// gone through side by side. R12 is a quarter in bytes (of a pair of samples as of a
// weight), R13 three of them.
TEXT ·beginFour(SB), NOSPLIT, $0-56
	MOVQ re+0(FP), DI
	MOVQ im+8(FP), SI
	MOVQ pcm+16(FP), R8
	MOVQ even+24(FP), R9
	MOVQ odd+32(FP), R10
	MOVQ rev+40(FP), R11
	MOVQ n+48(FP), R12
	LEAQ (R12)(R12*2), R13
	LEAQ (R8)(R12*1), DX
next:
	ROW((R8), (R9), (R10), X0, X4)
	ROW((R8)(R12*2), (R9)(R12*2), (R10)(R12*2), X1, X5)
	ROW((R8)(R12*1), (R9)(R12*1), (R10)(R12*1), X2, X6)
	ROW((R8)(R13*1), (R9)(R13*1), (R10)(R13*1), X3, X7)
	APART(X0, X1, X8)  // ar, br
	APART(X2, X3, X9)  // cr, dr
	APART(X4, X5, X10) // ai, bi
	APART(X6, X7, X11) // ci, di
	APART(X0, X2, X1)
	APART(X4, X6, X5)
	MOVAPS X8, X2
	ADDPS  X11, X2
	SUBPS  X11, X8
	MOVAPS X10, X6
	SUBPS  X9, X6
	ADDPS  X9, X10
	COLUMNS(X0, X2, X1, X8, DI)
	COLUMNS(X4, X6, X5, X10, SI)
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $16, R10
	ADDQ $16, R11
	CMPQ R8, DX
	JNE  next
	RET

// TURN leaves re*cos-im*sin in X4 and re*sin+im*cos in X0: re in X0, im in X1, cos in X2, sin in X3.
#define TURN \
	MOVAPS X0, X4 \
	MOVAPS X1, X5 \
	MULPS  X2, X4 \
	MULPS  X3, X5 \
	MULPS  X3, X0 \
	MULPS  X2, X1 \
	SUBPS  X5, X4 \
	ADDPS  X1, X0

// func stageFour(re, im, cos, sin *float32, n, half int)
TEXT ·stageFour(SB), NOSPLIT, $0-48
	MOVQ re+0(FP), DI
	MOVQ im+8(FP), SI
	MOVQ cos+16(FP), R10
	MOVQ sin+24(FP), R11
	MOVQ n+32(FP), DX
	MOVQ half+40(FP), CX
	LEAQ (DI)(DX*4), DX  // where re ends
	SHLQ $2, CX
	LEAQ (DI)(CX*1), R8  // the upper half
	LEAQ (SI)(CX*1), R9
pair:
	XORQ AX, AX
next:
	MOVUPS (R8)(AX*1), X0
	MOVUPS (R9)(AX*1), X1
	MOVUPS (R10)(AX*1), X2
	MOVUPS (R11)(AX*1), X3
	TURN
	MOVUPS (DI)(AX*1), X6
	MOVUPS (SI)(AX*1), X7
	APART(X6, X4, X8)
	APART(X7, X0, X9)
	MOVUPS X8, (R8)(AX*1)
	MOVUPS X9, (R9)(AX*1)
	MOVUPS X6, (DI)(AX*1)
	MOVUPS X7, (SI)(AX*1)
	ADDQ   $16, AX
	CMPQ   AX, CX
	JNE    next
	LEAQ   (DI)(CX*2), DI
	LEAQ   (SI)(CX*2), SI
	LEAQ   (R8)(CX*2), R8
	LEAQ   (R9)(CX*2), R9
	CMPQ   DI, DX
	JNE    pair
	RET

// func powersFour(power, re, im, cos, sin *float32, n int)
//
// AX goes up from the second bin on, DX down from the last, whose fours are turned round.
TEXT ·powersFour(SB), NOSPLIT, $0-48
	MOVQ   power+0(FP), DI
	MOVQ   re+8(FP), SI
	MOVQ   im+16(FP), R8
	MOVQ   cos+24(FP), R10
	MOVQ   sin+32(FP), R11
	MOVQ   n+40(FP), CX
	MOVQ   $4, AX
	LEAQ   -16(CX*4), DX
	MOVL   $0x3e800000, BX // a quarter
	MOVQ   BX, X15
	SHUFPS $0, X15, X15
next:
	MOVUPS (SI)(AX*1), X6
	MOVUPS (R8)(AX*1), X0
	MOVUPS (SI)(DX*1), X1
	MOVUPS (R8)(DX*1), X8
	SHUFPS $0x1B, X1, X1
	SHUFPS $0x1B, X8, X8
	MOVAPS X6, X9
	ADDPS  X1, X6  // er
	SUBPS  X9, X1  // oi
	APART(X0, X8, X7) // or and ei
	MOVUPS (R10)(AX*1), X2
	MOVUPS (R11)(AX*1), X3
	TURN
	APART(X6, X4, X8)
	APART(X7, X0, X9)
	MULPS  X6, X6
	MULPS  X7, X7
	MULPS  X8, X8
	MULPS  X9, X9
	ADDPS  X7, X6
	ADDPS  X9, X8
	MULPS  X15, X6
	MULPS  X15, X8
	SHUFPS $0x1B, X8, X8
	MOVUPS X6, (DI)(AX*1)
	MOVUPS X8, (DI)(DX*1)
	ADDQ   $16, AX
	SUBQ   $16, DX
	CMPQ   AX, DX
	JLT    next
	RET
