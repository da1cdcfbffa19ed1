package practice

import (
	"strings"
	"time"
)

// service is something that the clinic offers. Said is its spoken form.
type service struct {
	name, said string
	price      int
}

func services() []service {
	return []service{
		{"check-up", "check up", 85},
		{"cleaning", "cleaning", 120},
		{"vaccination", "vaccination", 40},
		{"eye test", "eye test", 60},
		{"blood test", "blood test", 55},
	}
}

func days() []time.Weekday {
	return []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
}

func firstNames() []string {
	return strings.Fields("anna david emily george jennifer john laura maria michael peter robert susan")
}

func lastNames() []string {
	return strings.Fields("anderson brown davis garcia harris johnson miller robinson smith taylor thompson wilson")
}

// hourWords returns the opening hours as spoken; the afternoon continues from twelve.
func hourWords() []string {
	return strings.Fields("nine ten eleven twelve one two three four")
}

func digitWords() []string {
	return strings.Fields("zero one two three four five six seven eight nine")
}

// Grammar returns the JSGF grammar of everything that the desk understands. Each part is a
// whole phrase, and a turn is one or more parts.
func Grammar() string {
	var names []string
	for _, s := range services() {
		names = append(names, s.said)
	}
	var weekdays []string
	for _, d := range days() {
		weekdays = append(weekdays, strings.ToLower(d.String()))
	}
	or := func(words []string) string { return strings.Join(words, " | ") }
	return strings.NewReplacer(
		"@service", or(names), "@day", or(weekdays), "@hour", or(hourWords()),
		"@digit", or(digitWords()), "@first", or(firstNames()), "@last", or(lastNames()),
	).Replace(grammarText)
}

// grammarText is the grammar, with @lists to be filled in.
const grammarText = `#JSGF V1.0;
grammar desk;
public <turn> = [ <hello> | sorry ] <request> [ <close> ] | <agree> [ <close> ] | <agree> <request> | <agree> <detail> [ please ]
  | <refuse> [ <close> ] | <refuse> <detail> [ please ] | [ <lead> ] <detail> [ please ] [ <close> ] | <leave> | <again> | <hello> | thank you | thank you very much;
<hello> = hello | hi | good morning | good afternoon;
<lead> = sorry | actually | excuse me;
<close> = please | thank you | thank you goodbye | please thank you;
<want> = i would like to | i'd like to | i want to | i need to | can i | could i | could you | please;
<service> = @service;
<a> = a | an;
<request> = [ <want> ] <task> | <price> | <hours> | put me through please;
<task> = <book> [ <whenfull> ] | <move> [ to <whenfull> ] | cancel my <mine> | <person>;
<book> = ( book | make ) ( an appointment | <a> <service> | an appointment for <a> <service> );
<mine> = appointment | <service>;
<move> = ( move | change ) my <mine>;
<price> = how much is <a> <service> | how much does <a> <service> cost | what does <a> <service> cost | what is the price of <a> <service>;
<hours> = what are your opening hours | what are your hours | when are you open | are you open on <day>;
<person> = ( speak | talk ) to ( a person | somebody | someone | the doctor );
<day> = @day;
<hour> = @hour;
<clock> = <hour> o'clock | <hour> thirty;
<half> = in the morning | in the afternoon;
<whenfull> = [ on ] <day> | [ on ] <day> [ <half> ] at <clock> [ <half> ];
<when> = <whenfull> | at <clock> [ <half> ] | <clock> [ <half> ] | how about <day> [ at <clock> ] | how about <clock>
  | make it <day> [ at <clock> ] | make it <clock>;
<name> = [ my name is | this is | it is ] <first> <last>;
<first> = @first;
<last> = @last;
<digit> = @digit;
<reference> = [ my reference number is | my reference is | the reference number is | it is ] <digit> <digit> <digit>;
<thing> = [ for ] [ <a> ] <service>;
<detail> = <when> | <name> | <reference> | <thing>;
<agree> = yes | yes please | that is right | yes that is right | that is correct | yes that is correct | that works | yes that works
  | sure | okay | go ahead | that is fine | yes that is fine;
<refuse> = no | no thank you | that is wrong | no that is wrong | that is not right;
<leave> = goodbye | thank you goodbye | no thank you goodbye | that is all | that is all thank you | no that is all
  | no that is all thank you | no that is all goodbye | no that is all thank you goodbye | thank you very much goodbye | that is all goodbye;
<again> = could you repeat that | could you repeat that please | say that again please | sorry could you say that again;
`
