#include "textflag.h"

// func Fetch(at unsafe.Pointer, size uintptr)
TEXT ·Fetch(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ at+0(FP), AX
	MOVQ size+8(FP), CX
	ADDQ AX, CX
	ANDQ $~63, AX
next:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, CX
	JCS  next
	RET
