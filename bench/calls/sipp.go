package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// sippScenario calls, plays a mu-law file for as long as the call lasts, and hangs up.
const sippScenario = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="calls">
  <send retrans="500"><![CDATA[
INVITE sip:+15550[call_number]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
From: <sip:sipp@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:+15550[call_number]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:sipp@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=sipp 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [rtpstream_audio_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000
]]></send>
  <recv response="200" rtd="true"/>
  <send><![CDATA[
ACK sip:+15550[call_number]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
From: <sip:sipp@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:+15550[call_number]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
  <nop><action><exec rtp_stream="%s,-1,0"/></action></nop>
  <pause milliseconds="%d"/>
  <nop><action><exec rtp_stream="pause"/></action></nop>
  <send retrans="500"><![CDATA[
BYE sip:+15550[call_number]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
From: <sip:sipp@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:+15550[call_number]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
  <recv response="200"/>
</scenario>
`

// sippCommand prepares sipp to place the same calls with the same media.
func sippCommand(ctx context.Context, o options, host, dir string) (*exec.Cmd, error) {
	path, err := exec.LookPath("sipp")
	if err != nil {
		return nil, fmt.Errorf("sipp is not installed (scripts/setup installs it, or leave it out with --peers bare): %w", err)
	}
	sound := filepath.Join(dir, "turns.raw")
	scenario := filepath.Join(dir, "calls.xml")
	c := newContent(o.seed)
	pcm := make([]byte, 0, 4*turnFrames*frameSize)
	for i := range 4 * turnFrames {
		pcm = pcm[:len(pcm)+frameSize]
		c.frame(pcm[len(pcm)-frameSize:], 0, i)
	}
	if err := os.WriteFile(sound, pcm, 0o600); err != nil {
		return nil, err
	}
	text := fmt.Sprintf(sippScenario, sound, o.wholeCall().Milliseconds())
	if err := os.WriteFile(scenario, []byte(text), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, "-sf", scenario, "-i", "127.0.0.1", "-mi", "127.0.0.1",
		"-r", strconv.FormatFloat(o.rate, 'f', -1, 64), "-l", strconv.Itoa(o.calls), "-m", strconv.Itoa(o.calls), "-nostdin", "-timeout",
		fmt.Sprintf("%ds", int((o.wholeCall()+o.ramp())/time.Second)+20), host)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	return cmd, nil
}
