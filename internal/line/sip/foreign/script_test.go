package foreign

import (
	"fmt"
	"strings"
	"time"
)

// step is one element of a sipp scenario.
type step string

// scenario returns the whole document.
func scenario(steps []step) []byte {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?>\n<scenario name=\"ours\">\n")
	for _, s := range steps {
		b.WriteString(string(s))
	}
	for _, name := range []string{"via", "from", "to", "cseq", "contact", "gotvia", "seen"} {
		// sipp rejects variables that are set and never used.
		if strings.Contains(b.String(), `assign_to="`+name+`"`) {
			b.WriteString("<Reference variables=\"" + name + "\" />\n")
		}
	}
	b.WriteString("</scenario>\n")
	return []byte(b.String())
}

// invited waits for an INVITE and stores what is needed of it.
func invited() step {
	return recv("INVITE", keep("Via:", "via")+keep("From:", "from")+keep("To:", "to")+keep("CSeq:", "cseq")+
		`<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="contact"/>`+"\n")
}

func keep(header, name string) string {
	return fmt.Sprintf("<ereg regexp=\".*\" search_in=\"hdr\" header=%q assign_to=%q/>\n", header, name)
}

// expect returns an action that fails the scenario unless the message matches.
func expect(pattern string) string {
	return fmt.Sprintf("<ereg regexp=%q search_in=\"msg\" check_it=\"true\" assign_to=\"seen\"/>\n", pattern)
}

// recv waits for a request.
func recv(method string, actions ...string) step {
	return step(fmt.Sprintf("<recv request=%q rrs=\"true\"><action>\n%s%s</action></recv>\n", method, keep("Via:", "gotvia"), strings.Join(actions, "")))
}

// maybe accepts a request if it comes before what follows.
func maybe(method string) step {
	return step(fmt.Sprintf("<recv request=%q optional=\"true\"></recv>\n", method))
}

// status waits for a response; provisional ones before it are optional steps of their own.
func status(code int, actions ...string) step {
	return step(fmt.Sprintf("<recv response=\"%d\" rrs=\"true\"><action>\n%s%s</action></recv>\n", code, keep("Via:", "gotvia"), strings.Join(actions, "")))
}

// perhaps accepts a response if it comes before what follows.
func perhaps(code int) step {
	return step(fmt.Sprintf("<recv response=\"%d\" optional=\"true\"></recv>\n", code))
}

// wait lets time pass.
func wait(d time.Duration) step {
	return step(fmt.Sprintf("<pause milliseconds=\"%d\"/>\n", d.Milliseconds()))
}

// play starts to stream a file of setting.sounds, once.
func play(name string) step {
	return step(fmt.Sprintf("<nop><action><exec rtp_stream=\"%s,1,0\"/></action></nop>\n", name))
}

// raw sends a message as it is; body may be "".
func raw(head []string, body string, attributes ...string) step {
	if body != "" {
		head = append(head, "Content-Type: application/sdp")
	}
	text := strings.Join(head, "\n") + "\nContent-Length: [len]\n\n" + body
	return step(fmt.Sprintf("<send %s><![CDATA[\n%s\n]]></send>\n", strings.Join(attributes, " "), text))
}

// toInvite answers the stored INVITE.
func toInvite(status, body string, headers ...string) step {
	return taggedReply(status, "far-[call_number]", body, headers...)
}

// taggedReply is toInvite with a To tag of its own.
func taggedReply(status, tag, body string, headers ...string) step {
	head := []string{
		"SIP/2.0 " + status, "Via:[$via]", "From:[$from]", "To:[$to];tag=" + tag, "[last_Call-ID:]", "CSeq:[$cseq]",
		"Contact: <sip:far@[local_ip]:[local_port];transport=[transport]>",
	}
	return raw(append(head, headers...), body)
}

// ok answers the latest request.
func ok() step { return toLast("200 OK", "") }

func toLast(status, body string, headers ...string) step {
	head := []string{
		"SIP/2.0 " + status, "[last_Via:]", "[last_From:]", "[last_To:]", "[last_Call-ID:]", "[last_CSeq:]",
		"Contact: <sip:far@[local_ip]:[local_port];transport=[transport]>",
	}
	return raw(append(head, headers...), body)
}

// within sends a request from the called side within the dialog.
func within(method string, seq int, body string, headers ...string) step {
	head := []string{
		method + " [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
		"From:[$to];tag=far-[call_number]", "To:[$from]", "Call-ID: [call_id]", fmt.Sprintf("CSeq: %d %s", seq, method),
		"Contact: <sip:far@[local_ip]:[local_port];transport=[transport]>", "Max-Forwards: 70",
	}
	return raw(append(head, headers...), body)
}

// sdp describes audio at a port in the given formats, with further lines.
func sdp(port, formats string, more ...string) string {
	lines := []string{
		"v=0", "o=far 7 7 IN IP4 127.0.0.1", "s=-", "c=IN IP4 127.0.0.1", "t=0 0", "m=audio " + port + " RTP/AVP " + formats,
	}
	for f := range strings.FieldsSeq(formats) {
		if name := map[string]string{"0": "PCMU/8000", "8": "PCMA/8000", "101": "telephone-event/8000", "18": "G729/8000"}[f]; name != "" {
			lines = append(lines, "a=rtpmap:"+f+" "+name)
		}
	}
	return strings.Join(append(lines, more...), "\n") + "\n"
}

// echoing is audio at the port that echoes, playing at the port that sipp streams from.
func echoing(more ...string) string { return sdp("[media_port]", "0 101", more...) }
func playing(more ...string) string { return sdp("[rtpstream_audio_port]", "0 101", more...) }

// calling returns the first INVITE of a scenario that calls us.
func calling(body string, headers ...string) step {
	head := []string{
		"INVITE sip:+15557654321@[remote_ip]:[remote_port] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
		"From: <sip:+15551112222@[local_ip]:[local_port]>;tag=near-[call_number]", "To: <sip:+15557654321@[remote_ip]:[remote_port]>",
		"Call-ID: [call_id]", "CSeq: 1 INVITE", "Contact: <sip:near@[local_ip]:[local_port];transport=[transport]>", "Max-Forwards: 70",
	}
	return raw(append(head, headers...), body, `retrans="500"`)
}

// further returns a request from the calling side within the dialog.
func further(method string, seq int, body string, headers ...string) step {
	head := []string{
		method + " [next_url] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]",
		"From: <sip:+15551112222@[local_ip]:[local_port]>;tag=near-[call_number]", "To: <sip:+15557654321@[remote_ip]:[remote_port]>[peer_tag_param]",
		"Call-ID: [call_id]", fmt.Sprintf("CSeq: %d %s", seq, method),
		"Contact: <sip:near@[local_ip]:[local_port];transport=[transport]>", "Max-Forwards: 70", "[routes]",
	}
	return raw(append(head, headers...), body)
}
