// Package calllog takes in records of finished calls as clients submit them:
// it validates, normalises per platform, and links a test call to the agent's
// own record of it. Its children calllog/custom, calllog/platforma and
// calllog/platformb read the payloads with calllog/lenient, and calllog/records finds the
// records in files.
// Package store keeps what was accepted before package api answers, and package review
// looks at the calls that come of it.
package calllog
