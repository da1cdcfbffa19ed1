// Package telephone handles the media of telephone calls. A Stream sends what its Party says
// and takes in what the far end sends; Media steps many Streams every 20 ms, on Linux with a
// few threads of its own, elsewhere with a goroutine for each.
//
// It is built on line/pace (scheduling and its measurement), line/udp (sockets), line/jitter
// (the timing of received packets), line/keys, line/g711, line/loss and line/prefetch. Package
// line/sip negotiates the contents of a Setup with the far end, and starts and stops the
// Stream. Package rtp encodes and decodes packets; Parties and Tapes come from package leg.
package telephone
