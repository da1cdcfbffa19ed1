package sip

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ordeal is a message that is hard to bear, in the situations of RFC 4475 and in
// words of our own. $VIA stands for a sound Via of the sender's, $ID for what
// makes the message unique; lines end as in Go and are sent with CR LF.
type ordeal struct {
	text string
	// wants are the final answers that are right; 0 is none at all.
	wants []int
	// stream are those over TCP when they differ; -1 says that the case makes no sense there.
	stream []int
}

const offered = "v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 4000 RTP/AVP 0\n"

// with is a request with the usual headers, and those given in their place or beside them.
func with(start, body string, headers ...string) string {
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

const us = " sip:us@example.org SIP/2.0"

func ordeals() map[string]ordeal {
	long := strings.Repeat("long-and-", 300)
	return map[string]ordeal{
		// Sound, if unusual.
		"tortuous invite": {text: "INVITE sip:us@example.org;unknown=x SIP/2.0\nTO :\n sip:us@example.org ;   weird    = \"a;b\\\\c\"\nfrom   : \"J \\\\\\\"Q\\\\\\\"\"       <sip:hardship@example.org>\n  ;\n  tag = $ID\n" +
			"MaX-fOrWaRdS: 0068\nCall-ID: $ID@ordeal\nl: $LEN\ncseq: 0009\n  INVITE\nv: SIP  / 2.0\n /UDP\n  $HOST;branch=z9hG4bK$ID\ns :\nNewFangledHeader:   newfangled value\n continued newfangled value\n" +
			"UnknownHeaderWithUnusualValue: ;;,,;;,;\nContent-Type: application/sdp\nm:\"Quoted string \\\"\\\"\" <sip:hardship@$ADDR> ; newparam =\n      newvalue ;\n  secondparam ; q = 0.33\n\n" + offered, wants: one(200), stream: one(200)},
		"all characters of a method":  {text: with("!odd-Method0123456789_*+`.%indeed'~"+us, ""), wants: one(405)},
		"raw controls in quotes":      {text: with("OPTIONS"+us, "", "To: \"BEL:\\\a NUL:\\\x00 DEL:\\\x7f\" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.org>"), wants: one(200)},
		"escapes in addresses":        {text: with("INVITE sip:us%20and%3Bthem@example.org SIP/2.0", offered, "From: I have spaces <sip:hard%40ship@example.org>;tag=$ID"), wants: one(200)},
		"escaped nulls":               {text: with("OPTIONS"+us, "", "To: <sip:null-%00-null@example.org>"), wants: one(200)},
		"percent in a method":         {text: with("RE%47IST%45R"+us, ""), wants: one(405)},
		"no blank before the bracket": {text: with("OPTIONS"+us, "", "From: hardship<sip:hardship@example.org>;tag=$ID"), wants: one(200)},
		"long values":                 {text: with("INVITE"+us, offered, "From: "+long+" <sip:"+long+"@example.org>;"+long+"="+long+";tag=$ID", "+Unknown-"+long+": "+long), wants: one(200)},
		"bytes after the body":        {text: with("OPTIONS"+us, "") + "OPTIONS sip:another@example.org SIP/2.0\nmore\n", wants: one(200), stream: one(-1)},
		"semicolons in the user":      {text: with("OPTIONS sip:us;par=u%40example.net@example.org SIP/2.0", "", "To: <sip:us;par=u@example.org>"), wants: one(200)},
		"unknown transports":          {text: with("OPTIONS"+us, "", "+Via: SIP/2.0/SCTP other.example.org;branch=z9hG4bKone", "+Via: SIP/2.0/UNKNOWN-9 host.example.org;branch=z9hG4bKtwo"), wants: one(200)},
		"several bodies": {text: with("INVITE"+us, "--cut\nContent-Type: text/plain\n\nhello\n--cut\nContent-Type: application/sdp\n\n"+offered+"\n--cut\nContent-Type: application/octet-stream\n\n\x00\x01\xff\n--cut--\n",
			"Content-Type: multipart/mixed; boundary=cut"), wants: one(200)},
		"folded headers":         {text: with("OPTIONS"+us, "", "Subject: one\n two\n\tthree", "From:\n <sip:hardship@example.org>\n ;tag=$ID"), wants: one(200)},
		"blank lines in front":   {text: "\n\n\n" + with("OPTIONS"+us, ""), wants: one(200)},
		"no hops left":           {text: with("OPTIONS"+us, "", "Max-Forwards: 0"), wants: one(200)},
		"old style":              {text: with("OPTIONS"+us, "", "Via: SIP/2.0/UDP $HOST", "From: <sip:hardship@example.org>"), wants: one(200)},
		"old style invite":       {text: with("INVITE"+us, offered, "Via: SIP/2.0/UDP $HOST", "From: sip:hardship@example.org", "To: sip:us@example.org;user=phone"), wants: one(200)},
		"empty branch":           {text: with("OPTIONS"+us, "", "Via: SIP/2.0/UDP $HOST;branch=z9hG4bK"), wants: one(200, 400)},
		"unknown scheme in To":   {text: with("OPTIONS"+us, "", "To: <isbn:2983792873>", "From: <http://example.org>;tag=$ID"), wants: one(200)},
		"headers in the address": {text: with("OPTIONS sip:us@example.org?Route=%3Csip:example.com%3E SIP/2.0", ""), wants: one(200, 400)},
		"wrong date":             {text: with("OPTIONS"+us, "", "+Date: Fri, 01 Jan 2010 16:00:00 EST"), wants: one(200)},
		"unknown credentials":    {text: with("OPTIONS"+us, "", "+Authorization: NoOneKnowsThisScheme opaque=here"), wants: one(200)},
		"comma in a plain name":  {text: with("OPTIONS"+us, "", "From: Ship, Hard <sip:hardship@example.org>;tag=$ID"), wants: one(200, 400)},
		"only line feeds":        {text: "$LF" + with("OPTIONS"+us, ""), wants: one(200, 400)},
		"many vias":              {text: with("OPTIONS"+us, "", "+Via: "+strings.Repeat("SIP/2.0/UDP a.example.org;branch=z9hG4bKx, ", 60)+"SIP/2.0/UDP b.example.org;branch=z9hG4bKy"), wants: one(200)},
		"brackets of IPv6":       {text: with("OPTIONS sip:us@[2001:db8::1]:5060 SIP/2.0", "", "+Via: SIP/2.0/UDP [2001:db8::9]:5070;branch=z9hG4bKv6", "From: <sip:hardship@[2001:db8::9]>;tag=$ID"), wants: one(200)},
		"tel address":            {text: with("OPTIONS tel:+15551234 SIP/2.0", "", "To: <tel:+15551234>"), wants: one(200)},
		"lower-case version":     {text: with("OPTIONS sip:us@example.org sip/2.0", ""), wants: one(200, 505)},

		// Malformed.
		"extra separators":         {text: with("OPTIONS"+us, "", "Via: SIP/2.0/UDP $HOST;branch=z9hG4bK$ID;;,;,,", "Contact: \"Hard\" <sip:hardship@example.org>;;;;"), wants: one(400)},
		"length too large":         {text: with("INVITE"+us, offered, "Content-Length: 9999"), wants: one(400), stream: one(0)},
		"length negative":          {text: with("INVITE"+us, offered, "Content-Length: -999"), wants: one(400)},
		"length no number":         {text: with("OPTIONS"+us, "", "Content-Length: ten"), wants: one(400)},
		"length absurd":            {text: with("OPTIONS"+us, "", "Content-Length: 99999999999999999999"), wants: one(400)},
		"two lengths":              {text: with("OPTIONS"+us, "", "Content-Length: 0", "+Content-Length: 5"), wants: one(400)},
		"scalars too large":        {text: with("OPTIONS"+us, "", "CSeq: 36893488147419103232 OPTIONS", "Max-Forwards: 300", "+Expires: 10000000000000"), wants: one(400)},
		"hops too many":            {text: with("OPTIONS"+us, "", "Max-Forwards: 300"), wants: one(400)},
		"number too large":         {text: with("OPTIONS"+us, "", "CSeq: 2147483648 OPTIONS"), wants: one(400)},
		"quote never ends":         {text: with("INVITE"+us, offered, "To: \"Us <sip:us@example.org>"), wants: one(400)},
		"brackets round the line":  {text: with("INVITE <sip:us@example.org> SIP/2.0", offered), wants: one(400)},
		"blanks in the address":    {text: with("INVITE sip:us@example.org; lr SIP/2.0", offered), wants: one(400)},
		"two blanks":               {text: with("INVITE  sip:us@example.org  SIP/2.0", offered, "CSeq: 7 INVITE"), wants: one(400)},
		"blank at the end":         {text: with("OPTIONS sip:us@example.org SIP/2.0  ", ""), wants: one(400)},
		"blank in front":           {text: with(" OPTIONS sip:us@example.org SIP/2.0", "", "CSeq: 7 OPTIONS"), wants: one(400, 0)},
		"blanks in an address":     {text: with("OPTIONS"+us, "", "To: \"Us\" < sip:us@example.org >"), wants: one(400)},
		"address without brackets": {text: with("OPTIONS"+us, "", "Contact: sip:hardship@example.org?Route=%3Csip:example.com%3E"), wants: one(400)},
		"version seven":            {text: with("OPTIONS sip:us@example.org SIP/7.0", ""), wants: one(505)},
		"two methods":              {text: with("OPTIONS"+us, "", "CSeq: 8 INVITE"), wants: one(400)},
		"two unknown methods":      {text: with("NEWMETHOD"+us, "", "CSeq: 8 INVITE"), wants: one(400)},
		"no From, To, Call-ID":     {text: with("INVITE"+us, offered, "-From:", "-To:", "-Call-ID:"), wants: one(400)},
		"no CSeq":                  {text: with("OPTIONS"+us, "", "-CSeq:"), wants: one(400)},
		"no Via":                   {text: with("OPTIONS"+us, "", "-Via:"), wants: one(0)},
		"empty values":             {text: with("OPTIONS"+us, "", "From:", "To: "), wants: one(400)},
		"several of one":           {text: with("INVITE"+us, offered, "+From: <sip:another@example.org>;tag=b", "+To: <sip:b@example.org>", "+CSeq: 8 INVITE", "+Call-ID: other", "+Max-Forwards: 5"), wants: one(400)},
		"unknown scheme":           {text: with("OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0", ""), wants: one(416)},
		"another scheme":           {text: with("OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0", ""), wants: one(416)},
		"no address":               {text: with("OPTIONS  SIP/2.0", ""), wants: one(400)},
		"no scheme":                {text: with("OPTIONS us@example.org SIP/2.0", ""), wants: one(400)},
		"star":                     {text: with("OPTIONS * SIP/2.0", ""), wants: one(400)},
		"line without a colon":     {text: with("OPTIONS"+us, "", "+this is no header"), wants: one(400)},
		"carriage return inside":   {text: with("OPTIONS"+us, "", "Subject: a\rb"), wants: one(400)},
		"via port too large":       {text: with("OPTIONS"+us, "", "Via: SIP/2.0/UDP 127.0.0.1:99999;branch=z9hG4bK$ID"), wants: one(400)},
		"via of one word":          {text: with("OPTIONS"+us, "", "Via: nonsense"), wants: one(400)},
		"unknown extension":        {text: with("OPTIONS"+us, "", "+Require: nothingSupportsThis, nothingSupportsThisEither", "+Proxy-Require: noProxiesSupportThis"), wants: one(420)},
		"unknown body":             {text: with("INVITE"+us, "<audio>\n <pcmu port=\"443\"/>\n</audio>\n", "Content-Type: application/unknownformat"), wants: one(415)},
		"packed body":              {text: with("INVITE"+us, offered, "+Content-Encoding: gzip"), wants: one(415)},
		"accepts nothing known":    {text: with("INVITE"+us, offered, "+Accept: text/nobodyKnowsThis"), wants: one(406)},
		"no description in parts":  {text: with("INVITE"+us, "--a\n\nx\n--a--\n", "Content-Type: multipart/mixed; boundary=a"), wants: one(415)},
		"parts without an end":     {text: with("INVITE"+us, "--a\nContent-Type: application/sdp", "Content-Type: multipart/mixed; boundary=a"), wants: one(415, 488)},
		"description of nothing":   {text: with("INVITE"+us, "v=0\n"), wants: one(488)},
		"call that is not here":    {text: with("BYE"+us, "", "To: <sip:us@example.org>;tag=none"), wants: one(481)},
		"is that call there":       {text: with("OPTIONS"+us, "", "To: <sip:us@example.org>;tag=none"), wants: one(481)},
		"CANCEL of nothing":        {text: with("CANCEL"+us, ""), wants: one(481)},
		"ACK of nothing":           {text: with("ACK"+us, ""), wants: one(0)},
		"malformed ACK":            {text: with("ACK"+us, "", "CSeq: x"), wants: one(0)},
		"registration":             {text: with("REGISTER"+us, "", "Contact: *", "+Expires: 0"), wants: one(405)},
		"too many headers":         {text: with("OPTIONS"+us, "", "+X: "+strings.Repeat("a\nX: ", 400)+"b"), wants: one(400)},

		"a thousand media":         {text: with("INVITE"+us, offered+strings.Repeat("m=video 4002 RTP/AVP 96\n", 1000)), wants: one(200, 488), stream: one(200, 488, 400, 413)},
		"a thousand audio media":   {text: with("INVITE"+us, "v=0\nc=IN IP4 127.0.0.1\n"+strings.Repeat("m=audio 4000 RTP/AVP 0\n", 300)), wants: one(200, 488)},
		"a thousand formats":       {text: with("INVITE"+us, strings.TrimSuffix(offered, "0\n")+strings.Repeat("18 ", 1000)+"0\n"), wants: one(200, 488)},
		"a thousand attributes":    {text: with("INVITE"+us, offered+strings.Repeat("a=rtpmap:0 PCMU/8000\n", 300)), wants: one(200, 488)},
		"description of lies":      {text: with("INVITE"+us, "v=0\no=\nc=IN IP4 127.0.0.1/999/999\nt=99999999999999999999 -1\nm=audio 4000/99999 RTP/AVP 0 127 0 0\na=ptime:-1\na=maxptime:99999999\na=rtcp:99999\na=rtpmap:0 PCMU/99999999999\n"), wants: one(200, 488)},
		"port beyond all":          {text: with("INVITE"+us, strings.Replace(offered, "4000", "70000", 1)), wants: one(488)},
		"bytes in the description": {text: with("INVITE"+us, offered+"a=\x00\x01\xff\xfe\n\x00\x00\n=\n==\na\n"), wants: one(200, 488)},
		"huge header":              {text: with("OPTIONS"+us, "", "+Subject: "+strings.Repeat("a", 30_000)), wants: one(200, 400, 413, 513)},
		"header beyond bounds":     {text: with("OPTIONS"+us, "", "+Subject: "+strings.Repeat("a", 40_000)), wants: one(0, 400, 413, 513), stream: one(0, 400, 413, 513)},
		"bytes in a header":        {text: with("OPTIONS"+us, "", "+Subject: \xff\xfe\x80\x00\x01\x1b[31m", "+X-\xff: 1"), wants: one(200, 400)},
		"folded for ever":          {text: with("OPTIONS"+us, "", "Subject: a"+strings.Repeat("\n b", 2000)), wants: one(200, 400)},
		"a fold with nothing":      {text: with("OPTIONS"+us, "", "Subject: a\n \n\t\n  \n b"), wants: one(200, 400)},
		"a fold at the beginning":  {text: strings.Replace(with("OPTIONS"+us, ""), "\nVia", "\n folded\nVia", 1), wants: one(0, 400)},
		"length too small":         {text: with("INVITE"+us, offered, "Content-Length: 5"), wants: one(200, 400, 488), stream: one(-1)},

		// No requests at all.
		"start line missing":       {text: strings.SplitN(with("OPTIONS"+us, ""), "\n", 2)[1], wants: one(0)},
		"another protocol":         {text: "GET / HTTP/1.1\nHost: example.org\n\n", wants: one(0)},
		"bytes":                    {text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00\xff", 90), wants: one(0)},
		"a stray answer":           {text: with("SIP/2.0 200 OK", "", "CSeq: 7 INVITE"), wants: one(0)},
		"a stray answer elsewhere": {text: with("SIP/2.0 200 OK", "", "CSeq: 7 INVITE", "Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKx"), wants: one(0)},
		"code too large":           {text: with("SIP/2.0 4294967301 better not break", "", "CSeq: 7 INVITE"), wants: one(0)},
		"code negative":            {text: with("SIP/2.0 -1 x", "", "CSeq: 7 INVITE"), wants: one(0)},
		"scalars too large answer": {text: with("SIP/2.0 503 x", "", "CSeq: 9292394834772304023312 OPTIONS", "+Retry-After: 949302838503028349304023988"), wants: one(0)},
		"cut in the middle":        {text: "OPTIONS sip:us@example.org SIP/2.0\nVia: $VIA\nFrom: <sip:a@b>;ta", wants: one(0, 400)},
		"zeros":                    {text: strings.Repeat("\x00", 300), wants: one(0)},
		"only SIP":                 {text: "SIP/2.0", wants: one(0)},
		"one word":                 {text: "OPTIONS", wants: one(0)},
	}
}

// sender is a stranger with a socket.
type sender struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	to   string
	id   string
}

func newSender(t testing.TB, transport, to, id string) *sender {
	t.Helper()
	conn, err := net.Dial(transport+"4", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &sender{t: t, conn: conn, in: bufio.NewReaderSize(conn, 1<<16), to: to, id: id}
}

// fill puts the sender's own words into a text.
func (s *sender) fill(text, id string) string {
	host := s.conn.LocalAddr().String()
	name := strings.ToUpper(s.conn.LocalAddr().Network())
	text, feeds := strings.CutPrefix(text, "$LF")
	_, body, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	body, _, _ = strings.Cut(body, "OPTIONS sip:another")
	size := len(strings.ReplaceAll(body, "\n", "\r\n"))
	if feeds {
		size = len(body)
	}
	text = strings.NewReplacer("$VIA", "SIP/2.0/"+name+" "+host+";branch=z9hG4bK$ID", "$LEN", strconv.Itoa(size)).Replace(text)
	text = strings.NewReplacer("$HOST", host, "$ADDR", host, "$PORT", host[strings.LastIndexByte(host, ':')+1:], "$ID", id).Replace(text)
	if !feeds {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func (s *sender) send(text string) {
	s.t.Helper()
	if _, err := s.conn.Write([]byte(text)); err != nil {
		s.t.Errorf("sending: %v", err)
	}
}

var contentLength = regexp.MustCompile(`(?i)\r\ncontent-length: *(\d+)`)

// answer waits for the final response to a request with the given id; 0 when none comes in time.
func (s *sender) answer(id string, wait time.Duration) (code int, text string) {
	s.t.Helper()
	_ = s.conn.SetReadDeadline(time.Now().Add(wait))
	for {
		text, err := s.message()
		if err != nil {
			return 0, err.Error()
		}
		if !strings.HasPrefix(text, "SIP/2.0 ") || len(text) < 12 || !strings.Contains(text, id) {
			continue
		}
		if code, _ = strconv.Atoi(text[8:11]); code >= 200 {
			return code, text
		}
	}
}

func (s *sender) message() (string, error) {
	if s.conn.LocalAddr().Network() == "udp" {
		b := make([]byte, 1<<16)
		n, err := s.conn.Read(b)
		return string(b[:n]), err
	}
	var head strings.Builder
	for !strings.HasSuffix(head.String(), "\r\n\r\n") {
		c, err := s.in.ReadByte()
		if err != nil {
			return head.String(), err
		}
		head.WriteByte(c)
		if head.String() == "\r\n" {
			head.Reset()
		}
	}
	m := contentLength.FindStringSubmatch(head.String())
	if m == nil {
		return head.String(), nil
	}
	n, _ := strconv.Atoi(m[1])
	body := make([]byte, n)
	_, err := io.ReadFull(s.in, body)
	return head.String() + string(body), err
}

// hangUp acknowledges a 200 to an INVITE and ends the call.
func (s *sender) hangUp(ok string) {
	s.t.Helper()
	header := func(name string) string {
		_, rest, _ := strings.Cut(ok, "\r\n"+name+": ")
		value, _, _ := strings.Cut(rest, "\r\n")
		return value
	}
	number, _, _ := strings.Cut(header("CSeq"), " ")
	n, _ := strconv.Atoi(number)
	contact := strings.Trim(header("Contact"), "<>")
	for i, method := range []string{"ACK", "BYE"} {
		s.send(fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/%s %s;branch=z9hG4bKend%s%d\r\nFrom: %s\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n",
			method, contact, strings.ToUpper(s.conn.LocalAddr().Network()), s.conn.LocalAddr(), s.id, i, header("From"), header("To"), header("Call-ID"), n+i, method))
	}
	if code, text := s.answer("BYE", patient); code != 200 {
		s.t.Errorf("BYE was answered with %d %s", code, text)
	}
}

// works fails the test unless an ordinary call comes about.
func works(t testing.TB, transport, to, id string) {
	t.Helper()
	s := newSender(t, transport, to, id+"n")
	s.send(s.fill(with("INVITE"+us, offered), s.id))
	code, text := s.answer(s.id, patient)
	if code != 200 {
		t.Fatalf("an ordinary call was answered with %d %s", code, text)
	}
	s.hangUp(text)
}

func TestOrdealsOfTheServer(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.times.t1 = 500 * time.Millisecond })
	n, all := 0, ordeals()
	maps.Copy(all, ordealsOfIPv6())
	for name, o := range all {
		for _, transport := range []string{"udp", "tcp"} {
			wants := o.wants
			if transport == "tcp" && o.stream != nil {
				wants = o.stream
			}
			if wants[0] == -1 {
				continue
			}
			n++
			id := fmt.Sprintf("ordeal%dx", n)
			t.Run(name+"/"+transport, func(t *testing.T) {
				t.Parallel()
				p := newSender(t, transport, s.Addr().String(), id)
				p.send(p.fill(o.text, id))
				wait := patient
				if wants[0] == 0 {
					wait = 100 * time.Millisecond
				}
				code, text := p.answer(id, wait)
				fits := false
				for _, w := range wants {
					fits = fits || w == code
				}
				if !fits {
					t.Errorf("answered with %d, want one of %v\n%s", code, wants, text)
				}
				if code == 200 && strings.Contains(text, "INVITE\r\n") {
					p.hangUp(text)
				}
				works(t, transport, s.Addr().String(), id)
			})
		}
	}
	t.Cleanup(func() { gone(t, s.e) })
}

// gone fails the test unless nothing of any call is left.
func gone(t testing.TB, e *endpoint) {
	t.Helper()
	for range 3000 {
		if e.alive() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d calls are left", e.alive())
}
