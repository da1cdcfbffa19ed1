// Package lenient reads JSON that others wrote: the fields of an object by their names, however a
// platform, what has passed its webhooks on, or a database has spelt, wrapped or retyped them. What
// a client writes itself is read strictly, and what is wrong there is noted with its path (Object.Text,
// Object.Note); what a platform wrote its client cannot mend, and a field that cannot be read counts as absent. It
// finds how much of a call may be kept, wherever that stands (KeepIn).
//
// It stands on strictjson and knows no record of a call: calllog/custom, calllog/platforma and
// calllog/platformb make that of what they read with it.
package lenient
