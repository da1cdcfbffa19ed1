package practice

import (
	"strings"
	"time"
)

// service is what the clinic offers. Said is how it is spoken of.
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

// hourWords are the opening hours as they are said; the afternoon goes on from twelve.
func hourWords() []string {
	return strings.Fields("nine ten eleven twelve one two three four")
}

func digitWords() []string {
	return strings.Fields("zero one two three four five six seven eight nine")
}

// Grammar is the JSGF grammar of everything the desk understands. Each part is a
// whole phrase and a turn is one or more parts.
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

// grammarText is the grammar with @lists still to be filled in.
const grammarText = `#JSGF V1.0;
grammar desk;
public <turn> = [ <opening> ] <part> [ <part> [ <part> [ <part> ] ] ] [ please ] [ <closing> ];
<opening> = hello | hi | hi there | good morning | good afternoon | yes | no | sorry | okay | actually | yes please | no thank you | thank you;
<closing> = thank you | thanks | thank you goodbye | goodbye | bye;
<part> = <book> | <move> | <cancel> | <price> | <hours> | <person> | <when> | <name> | <reference> | <thing> | <agree> | <refuse> | <leave> | <again> | <small>;
<want> = i would like to | i'd like to | i want to | i need to | can i | could i | i am calling to | could you;
<a> = a | an | the;
<service> = @service;
<book> = [ <want> ] ( book | make | schedule ) <a> ( appointment | <service> | appointment for <a> <service> );
<move> = [ <want> ] ( move | change | reschedule ) my ( appointment | <service> ) [ to <when> ];
<cancel> = [ <want> ] cancel my ( appointment | <service> );
<price> = how much is <a> <service> | how much does <a> <service> cost | what does <a> <service> cost | what is the price of <a> <service>;
<hours> = what are your opening hours | what are your hours | when are you open | are you open on <day> | what time do you open | what time do you close;
<person> = [ <want> ] ( speak | talk ) to ( a person | somebody | someone | a human | the doctor ) | transfer me | put me through;
<day> = @day;
<hour> = @hour;
<clock> = <hour> | <hour> o'clock | <hour> thirty;
<half> = in the morning | in the afternoon;
<when> = [ on ] <day> | [ on ] <day> at <clock> [ <half> ] | at <clock> [ <half> ] | <clock> [ <half> ] | how about <day> | make it <day> at <clock> | make it <day> | make it <clock>;
<name> = [ my name is | this is | it is | i am | the name is ] <first> <last>;
<first> = @first;
<last> = @last;
<digit> = @digit;
<reference> = [ my ] [ reference | reference number | the reference | the reference is | reference is | reference number is ] <digit> <digit> <digit>;
<thing> = [ for ] [ <a> ] <service>;
<agree> = yes | yes please | that is right | that is correct | that works | sure | okay | correct | sounds good | go ahead | that is fine;
<refuse> = no | no thank you | that is wrong | that is not right | not that one;
<leave> = goodbye | bye | that is all | that will be all | nothing else;
<again> = could you repeat that | say that again | pardon;
<small> = hello | thank you | thank you very much | great | perfect | one moment | wait a moment | excuse me;
`
