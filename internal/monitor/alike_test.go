package monitor

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// actGroups returns the number of groups that sentences form, each counted once, and
// their masked forms.
func actGroups(texts ...string) (groups int, kept []string) {
	var c []trend.Counted
	for i, s := range texts {
		act := lastAct([]call.Turn{{Speaker: call.Agent, Text: s}})
		sh := trend.ShapeOf(trend.Failure{Words: act})
		sh.Words = act
		kept = append(kept, act)
		c = append(c, trend.Counted{Shape: sh, Count: int64(10 - i)})
	}
	return len(trend.GroupAlike(c)), kept
}

// Last sentences with the number of groups that a person would form.
func TestGroupsOfLastSentences(t *testing.T) {
	for _, c := range []struct {
		n int
		s []string
	}{
		{1, []string{"Is the best number to reach you 415-555-0199?", "Is the best number to reach you four one five, five five five, zero one nine nine?"}},
		{1, []string{"Your driver Ahmed will arrive in 10 minutes.", "Your driver Lucy Liu will arrive in twenty-five minutes."}},
		{1, []string{"Okay Priya, let me look that up for you.", "Okay, let me look that up for you.", "Alright Tom, let me look that up for you"}},
		{1, []string{"I have you down for Tuesday, June 3rd at 2:30 PM.", "I have you down for Friday, May 12th at 9 AM.", "I have you down for Monday at noon"}},
		{1, []string{"Could you spell your last name for me?", "Can you please spell your last name?"}},
		{1, []string{"Um, could you, uh, repeat that please?", "Could you repeat that please?"}},
		{1, []string{"Can you hear me?", "Hello, can you hear me?"}},
		{1, []string{"I've sent a text to the number ending in 4471.", "I've sent a text to the number ending in zero two."}},
		{1, []string{"Thanks, Dr. Okafor! Is there anything else I can help you with?", "Is there anything else I can help you with, Sam?"}},
		{1, []string{"your confirmation number is A B C 1 2 3", "Your confirmation number is XK-42."}},
		{1, []string{"The total comes to $1,204.50 including tax.", "The total comes to $9 including tax."}},
		{1, []string{"Please email billing@acme.com.", "Please email support at acme dot com."}},
		{2, []string{"Your refund has been approved.", "Your refund has been denied."}},
		{2, []string{"The office is open today.", "The office is closed today."}},
		{2, []string{"I'm transferring you to a human agent now.", "I'm not able to transfer you to a human agent."}},
		{2, []string{"What is your date of birth?", "What is your zip code?"}},
		{2, []string{"Do you want to continue?", "Do you want to cancel?"}},
		{3, []string{"Is it you?", "Who are you?", "Where are you?"}},
		{2, []string{"¿En qué puedo ayudarle?", "Su reserva está confirmada."}},
		{2, []string{"请问您的名字是什么", "您的订单已取消"}},
		{2, []string{"Ваш заказ отменён.", "Назовите ваш номер."}},
	} {
		if n, a := actGroups(c.s...); n != c.n {
			t.Errorf("%d groups, want %d: %q", n, c.n, a)
		}
	}
}
