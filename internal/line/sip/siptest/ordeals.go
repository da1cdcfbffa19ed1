// Package siptest contains SIP messages that are difficult to process, for the tests of everything that
// reads them: package screen parses them, package transport splits a stream into them, and package sip
// answers them. It also has helpers for the authentication tests of packages sip and login.
package siptest

import (
	"strings"
)

// Ordeal is a difficult message, from RFC 4475 or of our own. $VIA stands for a valid Via of
// the sender, $ID for what makes the message unique. Lines end in LF and are sent with CR LF.
type Ordeal struct {
	Text string
	// Wants are the acceptable final responses; 0 means none at all.
	Wants []int
	// Stream are the acceptable ones over TCP if they differ; -1 means that the case does not apply there.
	Stream []int
}

// Offered is a session description with PCMU audio.
const Offered = "v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 4000 RTP/AVP 0\n"

// With returns a request with the usual headers, replaced or extended by the given ones.
func With(start, body string, headers ...string) string {
	method, _, _ := strings.Cut(start, " ")
	lines := []string{
		"Via: $VIA", "From: <sip:hardship@example.org>;tag=$ID", "To: <sip:us@example.org>", "Call-ID: $ID@ordeal",
		"CSeq: 7 " + method, "Contact: <sip:hardship@$ADDR>", "Max-Forwards: 70",
	}
	if body != "" {
		lines = append(lines, "Content-Type: application/sdp")
	}
	lines = append(lines, "Content-Length: $LEN")
	for _, h := range headers {
		name, rest, _ := strings.Cut(h, ":")
		at := -1
		for i, l := range lines {
			if n, _, _ := strings.Cut(l, ":"); strings.EqualFold(n, strings.TrimPrefix(name, "-")) {
				at = i
			}
		}
		switch {
		case strings.HasPrefix(name, "-") && at >= 0:
			lines = append(lines[:at], lines[at+1:]...)
		case at >= 0 && !strings.HasPrefix(name, "+"):
			lines[at] = name + ":" + rest
		default:
			lines = append(lines, strings.TrimPrefix(h, "+"))
		}
	}
	return start + "\n" + strings.Join(lines, "\n") + "\n\n" + body
}

func one(code ...int) []int { return code }

// Us is the rest of the start line of a request to us, after its method.
const Us = " sip:us@example.org SIP/2.0"

// Ordeals returns the messages of RFC 4475, and others.
func Ordeals() map[string]Ordeal {
	long := strings.Repeat("long-and-", 300)
	return map[string]Ordeal{
		// Valid but unusual.
		"tortuous invite": {Text: "INVITE sip:us@example.org;unknown=x SIP/2.0\nTO :\n sip:us@example.org ;   weird    = \"a;b\\\\c\"\nfrom   : \"J \\\\\\\"Q\\\\\\\"\"       <sip:hardship@example.org>\n  ;\n  tag = $ID\n" +
			"MaX-fOrWaRdS: 0068\nCall-ID: $ID@ordeal\nl: $LEN\ncseq: 0009\n  INVITE\nv: SIP  / 2.0\n /UDP\n  $HOST;branch=z9hG4bK$ID\ns :\nNewFangledHeader:   newfangled value\n continued newfangled value\n" +
			"UnknownHeaderWithUnusualValue: ;;,,;;,;\nContent-Type: application/sdp\nm:\"Quoted string \\\"\\\"\" <sip:hardship@$ADDR> ; newparam =\n      newvalue ;\n  secondparam ; q = 0.33\n\n" + Offered, Wants: one(200), Stream: one(200)},
		"all characters of a method":  {Text: With("!odd-Method0123456789_*+`.%indeed'~"+Us, ""), Wants: one(405)},
		"raw controls in quotes":      {Text: With("OPTIONS"+Us, "", "To: \"BEL:\\\a NUL:\\\x00 DEL:\\\x7f\" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.org>"), Wants: one(200)},
		"escapes in addresses":        {Text: With("INVITE sip:us%20and%3Bthem@example.org SIP/2.0", Offered, "From: I have spaces <sip:hard%40ship@example.org>;tag=$ID"), Wants: one(200)},
		"escaped nulls":               {Text: With("OPTIONS"+Us, "", "To: <sip:null-%00-null@example.org>"), Wants: one(200)},
		"percent in a method":         {Text: With("RE%47IST%45R"+Us, ""), Wants: one(405)},
		"no blank before the bracket": {Text: With("OPTIONS"+Us, "", "From: hardship<sip:hardship@example.org>;tag=$ID"), Wants: one(200)},
		"long values":                 {Text: With("INVITE"+Us, Offered, "From: "+long+" <sip:"+long+"@example.org>;"+long+"="+long+";tag=$ID", "+Unknown-"+long+": "+long), Wants: one(200)},
		"bytes after the body":        {Text: With("OPTIONS"+Us, "") + "OPTIONS sip:another@example.org SIP/2.0\nmore\n", Wants: one(200), Stream: one(-1)},
		"semicolons in the user":      {Text: With("OPTIONS sip:us;par=u%40example.net@example.org SIP/2.0", "", "To: <sip:us;par=u@example.org>"), Wants: one(200)},
		"unknown transports":          {Text: With("OPTIONS"+Us, "", "+Via: SIP/2.0/SCTP other.example.org;branch=z9hG4bKone", "+Via: SIP/2.0/UNKNOWN-9 host.example.org;branch=z9hG4bKtwo"), Wants: one(200)},
		"several bodies": {Text: With("INVITE"+Us, "--cut\nContent-Type: text/plain\n\nhello\n--cut\nContent-Type: application/sdp\n\n"+Offered+"\n--cut\nContent-Type: application/octet-stream\n\n\x00\x01\xff\n--cut--\n",
			"Content-Type: multipart/mixed; boundary=cut"), Wants: one(200)},
		"folded headers":         {Text: With("OPTIONS"+Us, "", "Subject: one\n two\n\tthree", "From:\n <sip:hardship@example.org>\n ;tag=$ID"), Wants: one(200)},
		"blank lines in front":   {Text: "\n\n\n" + With("OPTIONS"+Us, ""), Wants: one(200)},
		"no hops left":           {Text: With("OPTIONS"+Us, "", "Max-Forwards: 0"), Wants: one(200)},
		"old style":              {Text: With("OPTIONS"+Us, "", "Via: SIP/2.0/UDP $HOST", "From: <sip:hardship@example.org>"), Wants: one(200)},
		"old style invite":       {Text: With("INVITE"+Us, Offered, "Via: SIP/2.0/UDP $HOST", "From: sip:hardship@example.org", "To: sip:us@example.org;user=phone"), Wants: one(200)},
		"empty branch":           {Text: With("OPTIONS"+Us, "", "Via: SIP/2.0/UDP $HOST;branch=z9hG4bK"), Wants: one(200, 400)},
		"unknown scheme in To":   {Text: With("OPTIONS"+Us, "", "To: <isbn:2983792873>", "From: <http://example.org>;tag=$ID"), Wants: one(200)},
		"headers in the address": {Text: With("OPTIONS sip:us@example.org?Route=%3Csip:example.com%3E SIP/2.0", ""), Wants: one(200, 400)},
		"wrong date":             {Text: With("OPTIONS"+Us, "", "+Date: Fri, 01 Jan 2010 16:00:00 EST"), Wants: one(200)},
		"unknown credentials":    {Text: With("OPTIONS"+Us, "", "+Authorization: NoOneKnowsThisScheme opaque=here"), Wants: one(200)},
		"comma in a plain name":  {Text: With("OPTIONS"+Us, "", "From: Ship, Hard <sip:hardship@example.org>;tag=$ID"), Wants: one(200, 400)},
		"only line feeds":        {Text: "$LF" + With("OPTIONS"+Us, ""), Wants: one(200, 400)},
		"many vias":              {Text: With("OPTIONS"+Us, "", "+Via: "+strings.Repeat("SIP/2.0/UDP a.example.org;branch=z9hG4bKx, ", 60)+"SIP/2.0/UDP b.example.org;branch=z9hG4bKy"), Wants: one(200)},
		"brackets of IPv6":       {Text: With("OPTIONS sip:us@[2001:db8::1]:5060 SIP/2.0", "", "+Via: SIP/2.0/UDP [2001:db8::9]:5070;branch=z9hG4bKv6", "From: <sip:hardship@[2001:db8::9]>;tag=$ID"), Wants: one(200)},
		"tel address":            {Text: With("OPTIONS tel:+15551234 SIP/2.0", "", "To: <tel:+15551234>"), Wants: one(200)},
		"lower-case version":     {Text: With("OPTIONS sip:us@example.org sip/2.0", ""), Wants: one(200, 505)},

		// Malformed.
		"extra separators":         {Text: With("OPTIONS"+Us, "", "Via: SIP/2.0/UDP $HOST;branch=z9hG4bK$ID;;,;,,", "Contact: \"Hard\" <sip:hardship@example.org>;;;;"), Wants: one(400)},
		"length too large":         {Text: With("INVITE"+Us, Offered, "Content-Length: 9999"), Wants: one(400), Stream: one(0)},
		"length negative":          {Text: With("INVITE"+Us, Offered, "Content-Length: -999"), Wants: one(400)},
		"length no number":         {Text: With("OPTIONS"+Us, "", "Content-Length: ten"), Wants: one(400)},
		"length absurd":            {Text: With("OPTIONS"+Us, "", "Content-Length: 99999999999999999999"), Wants: one(400)},
		"two lengths":              {Text: With("OPTIONS"+Us, "", "Content-Length: 0", "+Content-Length: 5"), Wants: one(400)},
		"scalars too large":        {Text: With("OPTIONS"+Us, "", "CSeq: 36893488147419103232 OPTIONS", "Max-Forwards: 300", "+Expires: 10000000000000"), Wants: one(400)},
		"hops too many":            {Text: With("OPTIONS"+Us, "", "Max-Forwards: 300"), Wants: one(400)},
		"number too large":         {Text: With("OPTIONS"+Us, "", "CSeq: 2147483648 OPTIONS"), Wants: one(400)},
		"quote never ends":         {Text: With("INVITE"+Us, Offered, "To: \"Us <sip:us@example.org>"), Wants: one(400)},
		"brackets round the line":  {Text: With("INVITE <sip:us@example.org> SIP/2.0", Offered), Wants: one(400)},
		"blanks in the address":    {Text: With("INVITE sip:us@example.org; lr SIP/2.0", Offered), Wants: one(400)},
		"two blanks":               {Text: With("INVITE  sip:us@example.org  SIP/2.0", Offered, "CSeq: 7 INVITE"), Wants: one(400)},
		"blank at the end":         {Text: With("OPTIONS sip:us@example.org SIP/2.0  ", ""), Wants: one(400)},
		"blank in front":           {Text: With(" OPTIONS sip:us@example.org SIP/2.0", "", "CSeq: 7 OPTIONS"), Wants: one(400, 0)},
		"blanks in an address":     {Text: With("OPTIONS"+Us, "", "To: \"Us\" < sip:us@example.org >"), Wants: one(400)},
		"address without brackets": {Text: With("OPTIONS"+Us, "", "Contact: sip:hardship@example.org?Route=%3Csip:example.com%3E"), Wants: one(400)},
		"version seven":            {Text: With("OPTIONS sip:us@example.org SIP/7.0", ""), Wants: one(505)},
		"two methods":              {Text: With("OPTIONS"+Us, "", "CSeq: 8 INVITE"), Wants: one(400)},
		"two unknown methods":      {Text: With("NEWMETHOD"+Us, "", "CSeq: 8 INVITE"), Wants: one(400)},
		"no From, To, Call-ID":     {Text: With("INVITE"+Us, Offered, "-From:", "-To:", "-Call-ID:"), Wants: one(400)},
		"no CSeq":                  {Text: With("OPTIONS"+Us, "", "-CSeq:"), Wants: one(400)},
		"no Via":                   {Text: With("OPTIONS"+Us, "", "-Via:"), Wants: one(0)},
		"empty values":             {Text: With("OPTIONS"+Us, "", "From:", "To: "), Wants: one(400)},
		"several of one":           {Text: With("INVITE"+Us, Offered, "+From: <sip:another@example.org>;tag=b", "+To: <sip:b@example.org>", "+CSeq: 8 INVITE", "+Call-ID: other", "+Max-Forwards: 5"), Wants: one(400)},
		"unknown scheme":           {Text: With("OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0", ""), Wants: one(416)},
		"another scheme":           {Text: With("OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0", ""), Wants: one(416)},
		"no address":               {Text: With("OPTIONS  SIP/2.0", ""), Wants: one(400)},
		"no scheme":                {Text: With("OPTIONS us@example.org SIP/2.0", ""), Wants: one(400)},
		"star":                     {Text: With("OPTIONS * SIP/2.0", ""), Wants: one(400)},
		"line without a colon":     {Text: With("OPTIONS"+Us, "", "+this is no header"), Wants: one(400)},
		"carriage return inside":   {Text: With("OPTIONS"+Us, "", "Subject: a\rb"), Wants: one(400)},
		"via port too large":       {Text: With("OPTIONS"+Us, "", "Via: SIP/2.0/UDP 127.0.0.1:99999;branch=z9hG4bK$ID"), Wants: one(400)},
		"via of one word":          {Text: With("OPTIONS"+Us, "", "Via: nonsense"), Wants: one(400)},
		"unknown extension":        {Text: With("OPTIONS"+Us, "", "+Require: nothingSupportsThis, nothingSupportsThisEither", "+Proxy-Require: noProxiesSupportThis"), Wants: one(420)},
		"unknown body":             {Text: With("INVITE"+Us, "<audio>\n <pcmu port=\"443\"/>\n</audio>\n", "Content-Type: application/unknownformat"), Wants: one(415)},
		"packed body":              {Text: With("INVITE"+Us, Offered, "+Content-Encoding: gzip"), Wants: one(415)},
		"accepts nothing known":    {Text: With("INVITE"+Us, Offered, "+Accept: text/nobodyKnowsThis"), Wants: one(406)},
		"a description in parts of a part": {Text: With("INVITE"+Us,
			"--a\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: application/sdp\n\n"+Offered+"\n--b--\n--a--\n",
			"Content-Type: multipart/mixed; boundary=a"), Wants: one(200)},
		"parts of parts without end": {Text: With("INVITE"+Us, strings.Repeat("--a\nContent-Type: multipart/mixed; boundary=a\n\n", 200), "Content-Type: multipart/mixed; boundary=a"), Wants: one(415)},
		"no description in parts":    {Text: With("INVITE"+Us, "--a\n\nx\n--a--\n", "Content-Type: multipart/mixed; boundary=a"), Wants: one(415)},
		"parts without an end":       {Text: With("INVITE"+Us, "--a\nContent-Type: application/sdp", "Content-Type: multipart/mixed; boundary=a"), Wants: one(415, 488)},
		"description of nothing":     {Text: With("INVITE"+Us, "v=0\n"), Wants: one(488)},
		"call that is not here":      {Text: With("BYE"+Us, "", "To: <sip:us@example.org>;tag=none"), Wants: one(481)},
		"is that call there":         {Text: With("OPTIONS"+Us, "", "To: <sip:us@example.org>;tag=none"), Wants: one(481)},
		"CANCEL of nothing":          {Text: With("CANCEL"+Us, ""), Wants: one(481)},
		"ACK of nothing":             {Text: With("ACK"+Us, ""), Wants: one(0)},
		"malformed ACK":              {Text: With("ACK"+Us, "", "CSeq: x"), Wants: one(0)},
		"registration":               {Text: With("REGISTER"+Us, "", "Contact: *", "+Expires: 0"), Wants: one(405)},
		"too many headers":           {Text: With("OPTIONS"+Us, "", "+X: "+strings.Repeat("a\nX: ", 400)+"b"), Wants: one(400)},

		"a thousand media":         {Text: With("INVITE"+Us, Offered+strings.Repeat("m=video 4002 RTP/AVP 96\n", 1000)), Wants: one(200, 488), Stream: one(200, 488, 400, 413)},
		"a thousand audio media":   {Text: With("INVITE"+Us, "v=0\nc=IN IP4 127.0.0.1\n"+strings.Repeat("m=audio 4000 RTP/AVP 0\n", 300)), Wants: one(200, 488)},
		"a thousand formats":       {Text: With("INVITE"+Us, strings.TrimSuffix(Offered, "0\n")+strings.Repeat("18 ", 1000)+"0\n"), Wants: one(200, 488)},
		"a thousand attributes":    {Text: With("INVITE"+Us, Offered+strings.Repeat("a=rtpmap:0 PCMU/8000\n", 300)), Wants: one(200, 488)},
		"description of lies":      {Text: With("INVITE"+Us, "v=0\no=\nc=IN IP4 127.0.0.1/999/999\nt=99999999999999999999 -1\nm=audio 4000/99999 RTP/AVP 0 127 0 0\na=ptime:-1\na=maxptime:99999999\na=rtcp:99999\na=rtpmap:0 PCMU/99999999999\n"), Wants: one(200, 488)},
		"port beyond all":          {Text: With("INVITE"+Us, strings.Replace(Offered, "4000", "70000", 1)), Wants: one(488)},
		"bytes in the description": {Text: With("INVITE"+Us, Offered+"a=\x00\x01\xff\xfe\n\x00\x00\n=\n==\na\n"), Wants: one(200, 488)},
		"huge header":              {Text: With("OPTIONS"+Us, "", "+Subject: "+strings.Repeat("a", 30_000)), Wants: one(200, 400, 413, 513)},
		"header beyond bounds":     {Text: With("OPTIONS"+Us, "", "+Subject: "+strings.Repeat("a", 40_000)), Wants: one(0, 400, 413, 513), Stream: one(0, 400, 413, 513)},
		"bytes in a header":        {Text: With("OPTIONS"+Us, "", "+Subject: \xff\xfe\x80\x00\x01\x1b[31m", "+X-\xff: 1"), Wants: one(200, 400)},
		"folded for ever":          {Text: With("OPTIONS"+Us, "", "Subject: a"+strings.Repeat("\n b", 2000)), Wants: one(200, 400)},
		"a fold with nothing":      {Text: With("OPTIONS"+Us, "", "Subject: a\n \n\t\n  \n b"), Wants: one(200, 400)},
		"a fold at the beginning":  {Text: strings.Replace(With("OPTIONS"+Us, ""), "\nVia", "\n folded\nVia", 1), Wants: one(0, 400)},
		"length too small":         {Text: With("INVITE"+Us, Offered, "Content-Length: 5"), Wants: one(200, 400, 488), Stream: one(-1)},

		// Not requests at all.
		"start line missing":       {Text: strings.SplitN(With("OPTIONS"+Us, ""), "\n", 2)[1], Wants: one(0)},
		"another protocol":         {Text: "GET / HTTP/1.1\nHost: example.org\n\n", Wants: one(0)},
		"bytes":                    {Text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00\xff", 90), Wants: one(0)},
		"a stray answer":           {Text: With("SIP/2.0 200 OK", "", "CSeq: 7 INVITE"), Wants: one(0)},
		"a stray answer elsewhere": {Text: With("SIP/2.0 200 OK", "", "CSeq: 7 INVITE", "Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKx"), Wants: one(0)},
		"code too large":           {Text: With("SIP/2.0 4294967301 better not break", "", "CSeq: 7 INVITE"), Wants: one(0)},
		"code negative":            {Text: With("SIP/2.0 -1 x", "", "CSeq: 7 INVITE"), Wants: one(0)},
		"scalars too large answer": {Text: With("SIP/2.0 503 x", "", "CSeq: 9292394834772304023312 OPTIONS", "+Retry-After: 949302838503028349304023988"), Wants: one(0)},
		"cut in the middle":        {Text: "OPTIONS sip:us@example.org SIP/2.0\nVia: $VIA\nFrom: <sip:a@b>;ta", Wants: one(0, 400)},
		"zeros":                    {Text: strings.Repeat("\x00", 300), Wants: one(0)},
		"only SIP":                 {Text: "SIP/2.0", Wants: one(0)},
		"one word":                 {Text: "OPTIONS", Wants: one(0)},
	}
}
