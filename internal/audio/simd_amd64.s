#include "textflag.h"

// func squaresEight(pcm *int16, n int) int64
//
// The squares of two neighbours come to 2^31 at most, which has room in 32 bits without a sign.
TEXT ·squaresEight(SB), NOSPLIT, $0-24
	MOVQ pcm+0(FP), SI
	MOVQ n+8(FP), CX
	LEAQ (SI)(CX*2), DX
	PXOR X0, X0
	PXOR X7, X7
next:
	MOVOU      (SI), X1
	PMADDWL    X1, X1
	MOVO       X1, X2
	PUNPCKLLQ  X7, X1
	PUNPCKHLQ  X7, X2
	PADDQ      X1, X0
	PADDQ      X2, X0
	ADDQ       $16, SI
	CMPQ       SI, DX
	JNE        next
	PSHUFD     $0x4E, X0, X1
	PADDQ      X1, X0
	MOVQ       X0, ret+16(FP)
	RET

// WORDS is eight times the same 16 bits, LONGS four times the same 32.
#define WORDS(name, bits) \
	DATA  name<>+0(SB)/8, $(bits * 0x0001000100010001) \
	DATA  name<>+8(SB)/8, $(bits * 0x0001000100010001) \
	GLOBL name<>(SB), RODATA|NOPTR, $16
#define LONGS(name, bits) \
	DATA  name<>+0(SB)/8, $(bits * 0x0000000100000001) \
	DATA  name<>+8(SB)/8, $(bits * 0x0000000100000001) \
	GLOBL name<>(SB), RODATA|NOPTR, $16

WORDS(bias, 0x0084)
WORDS(sign, 0x0080)
WORDS(unsigned, 0x007F)
WORDS(segment0, 0x0860)     // the exponent of segment 0, 134, and no step
LONGS(middle0, 0x43040000)  // the float in the middle of the first step of segment 0

// A code of mu-law is a small float: with the bias, a magnitude is a float whose exponent is
// the segment and the first four bits of whose mantissa are the step.

// func muLawEight(dst *byte, src *int16, n int)
TEXT ·muLawEight(SB), NOSPLIT, $0-24
	MOVQ    dst+0(FP), DI
	MOVQ    src+8(FP), SI
	MOVQ    n+16(FP), DX
	ADDQ    DI, DX
	MOVOU   bias<>(SB), X6
	MOVOU   segment0<>(SB), X5
	MOVOU   sign<>(SB), X4
	PXOR    X7, X7
	PCMPEQL X8, X8
next:
	MOVOU     (SI), X0
	MOVO      X0, X1
	PSRAW     $15, X1
	PXOR      X1, X0  // magnitudes
	PADDSW    X6, X0
	MOVO      X0, X2
	PUNPCKLWL X7, X0
	PUNPCKHWL X7, X2
	CVTPL2PS  X0, X0
	CVTPL2PS  X2, X2
	PSRLL     $19, X0
	PSRLL     $19, X2
	PACKSSLW  X2, X0
	PSUBW     X5, X0
	PAND      X4, X1
	POR       X1, X0
	PACKUSWB  X0, X0
	PXOR      X8, X0
	MOVQ      X0, (DI)
	ADDQ      $16, SI
	ADDQ      $8, DI
	CMPQ      DI, DX
	JNE       next
	RET

// func muLawBackEight(dst *int16, src *byte, n int)
TEXT ·muLawBackEight(SB), NOSPLIT, $0-24
	MOVQ    dst+0(FP), DI
	MOVQ    src+8(FP), SI
	MOVQ    n+16(FP), DX
	ADDQ    SI, DX
	MOVOU   bias<>(SB), X6
	MOVOU   middle0<>(SB), X5
	MOVOU   unsigned<>(SB), X4
	PXOR    X7, X7
	PCMPEQL X8, X8
next:
	MOVQ       (SI), X0
	PXOR       X8, X0
	PUNPCKLBW  X7, X0
	MOVO       X0, X1
	PSLLW      $8, X1
	PSRAW      $15, X1 // all bits where it is negative
	PAND       X4, X0
	MOVO       X0, X2
	PUNPCKLWL  X7, X0
	PUNPCKHWL  X7, X2
	PSLLL      $19, X0
	PSLLL      $19, X2
	PADDL      X5, X0
	PADDL      X5, X2
	CVTTPS2PL  X0, X0
	CVTTPS2PL  X2, X2
	PACKSSLW   X2, X0
	PSUBW      X6, X0
	PXOR       X1, X0
	PSUBW      X1, X0
	MOVOU      X0, (DI)
	ADDQ       $8, SI
	ADDQ       $16, DI
	CMPQ       SI, DX
	JNE        next
	RET
