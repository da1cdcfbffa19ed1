// Package calllog takes in records of finished calls as clients submit them: it validates
// them, normalises them per platform and links a test call to the agent's own record of
// it.
//
// The readers calllog/custom, calllog/platforma and calllog/platformb parse payloads with
// calllog/lenient; calllog/records finds records in files. Package store stores what was
// accepted before package api answers, and package review reviews the resulting calls.
package calllog
