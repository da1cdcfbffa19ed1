package siptest

import "strings"

// HardAnswers returns malformed or unusual responses to our INVITE. They are followed by a
// valid one, which decides the call.
func HardAnswers() map[string]string {
	const head = "Via: $VIA\r\nFrom: $FROM\r\nTo: $TO;tag=hard\r\nCall-ID: $CALL\r\nCSeq: 1 INVITE\r\n"
	const end = "Content-Length: 0\r\n\r\n"
	return map[string]string{
		"code too large":           "SIP/2.0 4294967301 better not break the receiver\r\n" + head + end,
		"code of four figures":     "SIP/2.0 1000 x\r\n" + head + end,
		"code 099":                 "SIP/2.0 099 x\r\n" + head + end,
		"no code":                  "SIP/2.0 \r\n" + head + end,
		"another version":          "SIP/7.0 200 OK\r\n" + head + end,
		"another Via":              "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "$VIA", "SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKother", 1) + end,
		"another call":             "SIP/2.0 200 OK\r\n" + strings.NewReplacer("$CALL", "another", "$VIA", "SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKother").Replace(head) + end,
		"no CSeq":                  "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "CSeq: 1 INVITE\r\n", "", 1) + end,
		"no To":                    "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "To: $TO;tag=hard\r\n", "", 1) + end,
		"CSeq of another method":   "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "1 INVITE", "1 BYE", 1) + end,
		"CSeq too large":           "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "1 INVITE", "99999999999999 INVITE", 1) + end,
		"quote never ends":         "SIP/2.0 486 Busy\r\n" + strings.Replace(head, "$TO;", "\"x <sip:a@b>;", 1) + end,
		"two Call-IDs":             "SIP/2.0 486 Busy\r\n" + head + "Call-ID: other\r\n" + end,
		"length too large":         "SIP/2.0 486 Busy\r\n" + head + "Content-Length: 900\r\n\r\n",
		"length negative":          "SIP/2.0 486 Busy\r\n" + head + "Content-Length: -1\r\n\r\n",
		"cut":                      "SIP/2.0 486 Busy\r\nVia: $VIA\r\nFr",
		"provisional of nothing":   "SIP/2.0 180 Ringing\r\n" + head + end,
		"provisional, no tag":      "SIP/2.0 183 x\r\n" + strings.Replace(head, ";tag=hard", "", 1) + "Content-Type: application/sdp\r\nContent-Length: 3\r\n\r\nv=0",
		"reason in another tongue": "SIP/2.0 183 = 2**3 * 3**2 \xd0\xbd\xd0\xb5\xd1\x82 \xff\xfe\r\n" + head + end,
		"a thousand headers":       "SIP/2.0 486 Busy\r\n" + head + strings.Repeat("X: y\r\n", 1000) + end,
		"bytes":                    "\x00\x01\x02\xff\xfe",
		"a request":                "INVITE sip:ringtrue SIP/2.0\r\n" + head + end,
		"a BYE of no call":         "BYE sip:ringtrue SIP/2.0\r\n" + strings.Replace(head, "1 INVITE", "2 BYE", 1) + end,
	}
}
