// Package foreign holds the tests that call programs which are not ours, and
// are called by them: baresip, a softphone that plays and records, and sipp,
// which says exactly what a scenario tells it. They run on the loopback over UDP
// and TCP against package line/sip, its parent, and look at what both sides saw
// and heard. The suite that our own two ends pass is in package line/linetest.
package foreign
