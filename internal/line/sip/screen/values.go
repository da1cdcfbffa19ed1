package screen

import (
	"strconv"
	"strings"
)

// plainVia rewrites a Via with single blanks and lower-case parameters. It returns false if it
// is not valid (RFC 3261 section 20.42).
func plainVia(text string) (string, bool) {
	parts := Split(text, ';')
	protocol, rest, ok := strings.Cut(parts[0], "/")
	version, rest, ok2 := strings.Cut(rest, "/")
	words := strings.Fields(rest)
	if !ok || !ok2 || len(words) < 2 {
		return "", false
	}
	protocol, version = strings.TrimSpace(protocol), strings.TrimSpace(version)
	host := strings.Join(words[1:], "")
	if !isToken(protocol) || !isToken(version) || !isToken(words[0]) || !plainHost(host) {
		return "", false
	}
	params, ok := plainParams(parts[1:])
	return strings.ToUpper(protocol) + "/" + version + "/" + words[0] + " " + host + params, ok
}

// plainHost reports whether a text is a host, optionally with a port.
func plainHost(text string) bool {
	host, port := text, ""
	if strings.HasPrefix(text, "[") {
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return false
		}
		host, port = text[1:end], strings.TrimPrefix(text[end+1:], ":")
	} else if at := strings.LastIndexByte(text, ':'); at >= 0 {
		host, port = text[:at], text[at+1:]
		if port == "" || strings.Contains(host, ":") { // IPv6 addresses must be in brackets
			return false
		}
	}
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return host != "" && !strings.ContainsAny(host, "<>\"@ \t/?")
}

// plainParams rewrites parameters without blanks around "=" and ";", with the names of relevant
// ones in lower case. It returns false if one is empty or incomplete.
func plainParams(parts []string) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		name, value, has := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if name == "" || strings.ContainsAny(name, " \t\"<>") || has && value == "" || strings.HasPrefix(value, `"`) && !quotes(value) {
			return "", false
		}
		switch lower := strings.ToLower(name); lower {
		case "tag", "branch", "rport", "received", "maddr", "ttl":
			name = lower
		}
		b.WriteString(";" + name)
		if has {
			b.WriteString("=" + value)
		}
	}
	return b.String(), true
}

// tidy removes empty and incomplete parameters, and blanks inside brackets, from a list of addresses or a Via.
func tidy(text string) string {
	all := Split(text, ',')
	for i, one := range all {
		parts := Split(one, ';')
		if open := Bracket(parts[0]); open >= 0 {
			before, uri := parts[0][:open], parts[0][open+1:]
			if uri, after, ok := strings.Cut(uri, ">"); ok {
				parts[0] = before + "<" + strings.TrimSpace(uri) + ">" + after
			}
		}
		var kept []string
		for _, part := range parts {
			switch name, unfinished := strings.CutSuffix(strings.TrimSpace(part), "="); {
			case name == "", unfinished && !strings.EqualFold(name, "rport"):
			case unfinished: // requested without a value
				kept = append(kept, name)
			default:
				kept = append(kept, part)
			}
		}
		all[i] = strings.Join(kept, ";")
	}
	return strings.Join(all, ",")
}

// quotes reports whether a text is a single quoted string.
func quotes(text string) bool {
	if len(text) < 2 || text[0] != '"' {
		return false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i == len(text)-1
		}
	}
	return false
}

// plainAddress rewrites the address of a From or To as a name, an address in brackets and
// parameters. It returns false if it is not valid.
func plainAddress(text string) (string, bool) {
	parts := Split(text, ';')
	first := strings.TrimSpace(parts[0])
	open := Bracket(first)
	name, uri := "", first
	if open >= 0 {
		end := strings.LastIndexByte(first, '>')
		if end < open || strings.TrimSpace(first[end+1:]) != "" {
			return "", false
		}
		name, uri = strings.TrimSpace(first[:open]), first[open+1:end]
	} else if strings.ContainsAny(uri, "?,") {
		return "", false // such an address must be in brackets (RFC 3261 section 20)
	}
	if strings.HasPrefix(name, `"`) && !quotes(name) || !strings.HasPrefix(name, `"`) && strings.ContainsAny(name, "\"<>") {
		return "", false
	}
	if !plainURI(uri) {
		return "", false
	}
	params, ok := plainParams(parts[1:])
	if name != "" {
		name += " "
	}
	return name + "<" + uri + ">" + params, ok
}

// Bracket returns the index of the opening bracket of an address, after a quoted name.
func Bracket(text string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '<' && !quoted:
			return i
		}
	}
	return -1
}

// plainURI reports whether a text can be a URI: a scheme and something after it, without blanks
// or brackets.
func plainURI(text string) bool {
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !isScheme(scheme) || rest == "" || strings.ContainsAny(text, " \t<>\"") {
		return false
	}
	if s := strings.ToLower(scheme); s != "sip" && s != "sips" {
		return true
	}
	_, host, found := strings.Cut(rest, "@")
	if !found {
		host = rest
	}
	if i := strings.LastIndexByte(rest, '@'); found && i >= 0 {
		host = rest[i+1:]
	}
	host, _, _ = strings.Cut(host, ";")
	host, _, _ = strings.Cut(host, "?")
	return plainHost(host)
}

// readable reduces a list of addresses to those that can be parsed, in their bare form: sipgo fails
// at an address without brackets behind another one, and at a comma behind an escaped quote, which
// would lose the whole message. A list without a valid address is left as it is.
func readable(text string) string {
	var kept []string
	for _, one := range Split(text, ',') {
		if plain, ok := plainAddress(one); ok {
			kept = append(kept, bare(plain))
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, ", ")
}

// bare removes from an address in plain form everything except where somebody is reached and
// with which preference.
func bare(plain string) string {
	open := Bracket(plain)
	end := open + strings.IndexByte(plain[open:], '>') + 1
	kept := []string{plain[open:end]}
	for _, param := range Split(plain[end:], ';') {
		if name, _, _ := strings.Cut(param, "="); strings.EqualFold(name, "q") {
			kept = append(kept, param)
		}
	}
	return strings.Join(kept, ";")
}

// plainContacts is plainAddress for a list, with each address reduced to its bare form.
func plainContacts(text string) (string, bool) {
	var out []string
	for _, one := range Split(text, ',') {
		plain, ok := plainAddress(one)
		if !ok {
			return "", false
		}
		out = append(out, bare(plain))
	}
	return strings.Join(out, ", "), true
}

// plainRoutes reduces the addresses in a Record-Route to what a route needs. sipgo takes an escaped quote in a name or a
// parameter for the end of it, and a comma after that for the next address. Invalid values are left as they are.
func plainRoutes(text string) string {
	var out []string
	for _, one := range Split(text, ',') {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		uri := one // without brackets, only its parameters say whether it is a loose router
		if open := Bracket(one); open >= 0 {
			uri, _, _ = strings.Cut(one[open+1:], ">")
		}
		if uri = strings.TrimSpace(uri); !plainURI(uri) {
			return text
		}
		out = append(out, "<"+uri+">")
	}
	if len(out) == 0 {
		return text
	}
	return strings.Join(out, ", ")
}
