// Package foreign contains the tests against other programs: baresip, a softphone that plays
// and records, and sipp, which follows a scenario exactly. They call and are called over UDP
// and TCP on loopback by package line/sip, its parent, and check what both sides saw and heard.
// The suite for our own two ends is in package line/linetest.
package foreign
