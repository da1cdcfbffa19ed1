#include "textflag.h"

// func Fetch(at unsafe.Pointer, size uintptr)
TEXT ·Fetch(SB), NOSPLIT|NOFRAME, $0-16
	MOVD at+0(FP), R0
	MOVD size+8(FP), R1
	ADD  R0, R1, R1
	AND  $~63, R0, R0
next:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0, R0
	CMP  R1, R0
	BLO  next
	RET
