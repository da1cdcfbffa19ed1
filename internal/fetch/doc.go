// Package fetch is the guarded HTTP client for addresses chosen by others:
// recordings of production calls and the voice platforms' APIs.
//
// Whoever submits a call log chooses an address that this process then calls from
// inside the operator's network. So only http and https are allowed, and only the
// public internet unless the operator allowed a host or network; this is checked
// on the address actually dialled, after every redirect. Sizes, times, headers and
// redirects are bounded. No proxy is taken from the environment and no cookie is
// kept. Credentials go only to the host they are for. Broken downloads are
// resumed.
//
// Errors are *Error and hold no more of the address than its host, for paths and
// queries hold tokens; nothing is logged. Package app hands a Client to packages
// review (recordings) and platform (lists of agents); package audio/decode reads
// the recordings.
package fetch
