package sip

import "strings"

// ordealsOfIPv6 are the situations of RFC 5118.
func ordealsOfIPv6() map[string]ordeal {
	six := func(from, to string) string { return strings.ReplaceAll(offered, from, to) }
	return map[string]ordeal{
		"an address of IPv6":                   {text: with("OPTIONS sip:us@[2001:db8::10] SIP/2.0", "", "To: <sip:us@[2001:db8::10]>", "Call-ID: $ID@[2001:db8::1]"), wants: one(200)},
		"an address without its brackets":      {text: with("OPTIONS sip:us@2001:db8::10 SIP/2.0", ""), wants: one(200, 400)},
		"a sender without its brackets":        {text: with("OPTIONS"+us, "", "From: <sip:hardship@2001:db8::10>;tag=$ID"), wants: one(400)},
		"a way without its brackets":           {text: with("OPTIONS"+us, "", "Via: SIP/2.0/UDP 2001:db8::9:1;branch=z9hG4bK$ID;rport"), wants: one(400)},
		"a port that may be a part":            {text: with("OPTIONS sip:us@[2001:db8::10:5070] SIP/2.0", "", "To: <sip:us@[2001:db8::10:5070]>"), wants: one(200)},
		"a port that is one":                   {text: with("OPTIONS sip:us@[2001:db8::10]:5070 SIP/2.0", "", "To: <sip:us@[2001:db8::10]:5070>"), wants: one(200)},
		"a received address in brackets":       {text: with("OPTIONS"+us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3"), wants: one(200)},
		"a received address without":           {text: with("OPTIONS"+us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3"), wants: one(200)},
		"sound by IPv6":                        {text: with("INVITE"+us, six("IP4 127.0.0.1", "IP6 2001:db8::20")), wants: one(200)},
		"ways of both families":                {text: with("OPTIONS"+us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111", "+Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144", "+Record-Route: <sip:[2001:db8::9:1];lr>, <sip:192.0.2.1;lr>"), wants: one(200)},
		"sound of both families":               {text: with("INVITE"+us, six("m=audio", "m=video 6002 RTP/AVP 31\nc=IN IP6 2001:db8::1\nm=audio")), wants: one(200)},
		"an address of IPv4 in one of IPv6":    {text: with("INVITE sip:us@[::ffff:192.0.2.10] SIP/2.0", six("IP4 127.0.0.1", "IP6 ::ffff:127.0.0.1"), "From: <sip:hardship@[::ffff:192.0.2.2]>;tag=$ID", "Contact: <sip:hardship@[::ffff:127.0.0.1]:$PORT>"), wants: one(200)},
		"three colons":                         {text: with("OPTIONS sip:us@[2001:db8:::192.0.2.1] SIP/2.0", ""), wants: one(200, 400)},
		"an address of one machine's own link": {text: with("OPTIONS sip:us@[fe80::1%25eth0] SIP/2.0", "", "Contact: <sip:hardship@[fe80::1%25eth0]>"), wants: one(200, 400)},
		"no address in the brackets":           {text: with("OPTIONS"+us, "", "From: <sip:hardship@[]>;tag=$ID", "+Via: SIP/2.0/UDP []:5060;branch=z9hG4bKx"), wants: one(400)},
		"a bracket that never ends":            {text: with("OPTIONS"+us, "", "From: <sip:hardship@[2001:db8::1>;tag=$ID"), wants: one(400)},
		"something after the bracket":          {text: with("OPTIONS"+us, "", "From: <sip:hardship@[2001:db8::1]x>;tag=$ID"), wants: one(400)},
		"a port that is none":                  {text: with("OPTIONS"+us, "", "From: <sip:hardship@[2001:db8::1]:0x7>;tag=$ID"), wants: one(400)},
	}
}
