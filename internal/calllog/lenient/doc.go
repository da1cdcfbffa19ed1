// Package lenient reads JSON written by others: fields by name, however a platform, a forwarder of
// its webhooks or a database has spelt, wrapped or retyped them. What a client writes itself is
// read strictly, and mistakes are noted with their paths (Object.Text, Object.Note). What a
// platform wrote its client cannot correct, so there an unreadable field counts as absent. KeepIn
// finds how much of a call may be kept, wherever that is said.
//
// It is built on strictjson and knows nothing about calls; calllog/custom, calllog/platforma and
// calllog/platformb do.
package lenient
