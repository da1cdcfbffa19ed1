package siptest

import "strings"

// OfIPv6 returns the messages of RFC 5118.
func OfIPv6() map[string]Ordeal {
	six := func(from, to string) string { return strings.ReplaceAll(Offered, from, to) }
	return map[string]Ordeal{
		"an address of IPv6":                   {Text: With("OPTIONS sip:us@[2001:db8::10] SIP/2.0", "", "To: <sip:us@[2001:db8::10]>", "Call-ID: $ID@[2001:db8::1]"), Wants: one(200)},
		"an address without its brackets":      {Text: With("OPTIONS sip:us@2001:db8::10 SIP/2.0", ""), Wants: one(200, 400)},
		"a sender without its brackets":        {Text: With("OPTIONS"+Us, "", "From: <sip:hardship@2001:db8::10>;tag=$ID"), Wants: one(400)},
		"a way without its brackets":           {Text: With("OPTIONS"+Us, "", "Via: SIP/2.0/UDP 2001:db8::9:1;branch=z9hG4bK$ID;rport"), Wants: one(400)},
		"a port that may be a part":            {Text: With("OPTIONS sip:us@[2001:db8::10:5070] SIP/2.0", "", "To: <sip:us@[2001:db8::10:5070]>"), Wants: one(200)},
		"a port that is one":                   {Text: With("OPTIONS sip:us@[2001:db8::10]:5070 SIP/2.0", "", "To: <sip:us@[2001:db8::10]:5070>"), Wants: one(200)},
		"a received address in brackets":       {Text: With("OPTIONS"+Us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3"), Wants: one(200)},
		"a received address without":           {Text: With("OPTIONS"+Us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3"), Wants: one(200)},
		"sound by IPv6":                        {Text: With("INVITE"+Us, six("IP4 127.0.0.1", "IP6 2001:db8::20")), Wants: one(200)},
		"ways of both families":                {Text: With("OPTIONS"+Us, "", "+Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111", "+Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144", "+Record-Route: <sip:[2001:db8::9:1];lr>, <sip:192.0.2.1;lr>"), Wants: one(200)},
		"sound of both families":               {Text: With("INVITE"+Us, six("m=audio", "m=video 6002 RTP/AVP 31\nc=IN IP6 2001:db8::1\nm=audio")), Wants: one(200)},
		"an address of IPv4 in one of IPv6":    {Text: With("INVITE sip:us@[::ffff:192.0.2.10] SIP/2.0", six("IP4 127.0.0.1", "IP6 ::ffff:127.0.0.1"), "From: <sip:hardship@[::ffff:192.0.2.2]>;tag=$ID", "Contact: <sip:hardship@[::ffff:127.0.0.1]:$PORT>"), Wants: one(200)},
		"three colons":                         {Text: With("OPTIONS sip:us@[2001:db8:::192.0.2.1] SIP/2.0", ""), Wants: one(200, 400)},
		"an address of one machine's own link": {Text: With("OPTIONS sip:us@[fe80::1%25eth0] SIP/2.0", "", "Contact: <sip:hardship@[fe80::1%25eth0]>"), Wants: one(200, 400)},
		"no address in the brackets":           {Text: With("OPTIONS"+Us, "", "From: <sip:hardship@[]>;tag=$ID", "+Via: SIP/2.0/UDP []:5060;branch=z9hG4bKx"), Wants: one(400)},
		"a bracket that never ends":            {Text: With("OPTIONS"+Us, "", "From: <sip:hardship@[2001:db8::1>;tag=$ID"), Wants: one(400)},
		"something after the bracket":          {Text: With("OPTIONS"+Us, "", "From: <sip:hardship@[2001:db8::1]x>;tag=$ID"), Wants: one(400)},
		"a port that is none":                  {Text: With("OPTIONS"+Us, "", "From: <sip:hardship@[2001:db8::1]:0x7>;tag=$ID"), Wants: one(400)},
	}
}
