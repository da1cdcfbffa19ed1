/** productionCalls are the records of n calls over the last four weeks, the same ones each time but for their times. The last day is a bad one for "support". */
export function productionCalls(n, now = Date.now()) {
  const random = dice(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  return Array.from({ length: n }, (_, i) => {
    const age = 28 * 86_400_000 * random();
    const bad = i % 2 === 0 && age < 86_400_000;
    return (i % 2 === 0 ? support : sales)({ i, start: Math.round(now - 3_600_000 - age), bad, version: age > 6 * 86_400_000 ? "v41" : "v42", random, pick });
  });
}

const Asks = ["I want to change my appointment.", "My invoice has the wrong amount on it.", "I need a prescription renewed.", "What are your opening hours?"];
const Angry = ["I already told you that twice, this is ridiculous.", "You are not listening to me, let me speak to a human.", "This is the third time I call, I am really fed up."];
const Calm = ["On the {n}th, please.", "It is about order {n}.", "My number ends in {n}.", "Yes, around {n} would work."];
const Answers = ["Let me look that up for you.", "Which day would suit you?", "I have Thursday at ten or Friday at two.", "I have noted that."];

/** support is a record as platform A sends it, with words, latencies and a disconnection reason. */
function support({ i, start, bad, version, random, pick }) {
  const upset = random() < (bad ? 0.35 : 0.05);
  const failed = random() < (bad ? 0.2 : 0.02);
  const turns = [{ role: "agent", from: 300, to: 2300, content: "Support, how can I help you?" }];
  const latencies = [];
  let at = 2300;
  for (let k = 0; k < 2 + Math.floor(5 * random()); k++) {
    at += 300 + Math.floor(900 * random());
    const said = k === 0 ? pick(Asks) : upset && k > 1 ? pick(Angry) : pick(Calm).replace("{n}", String(11 + Math.floor(900 * random())));
    turns.push({ role: "user", from: at, to: at + 2500, content: said });
    const latency = 450 + Math.floor(-Math.log(1 - random()) * (bad ? 2400 : 600));
    latencies.push(latency);
    at += 2500 + latency;
    turns.push({ role: "agent", from: at, to: at + 2800, content: pick(Answers) });
    at += 2800;
  }
  const call = {
    call_id: `a-${i}`, call_type: "phone_call", agent_id: "support", agent_version: version, direction: "inbound", call_status: "ended",
    from_number: `+1555${1_000_000 + i}`, to_number: "+15550123", start_timestamp: start, end_timestamp: start + at + 500,
    disconnection_reason: failed ? "error_llm_websocket_open" : upset ? "user_hangup" : "agent_hangup",
    transcript_object: turns.map(({ role, from, to, content }) => ({ role, content, words: words(content, from, to) })),
    latency: { e2e: { values: latencies, num: latencies.length } },
    call_analysis: { call_successful: !failed && !upset },
  };
  return { provider: "platform_a", externalAgentId: "support", metadata: { agent_version: version, customer: "<script>document.title = 'broken'</script>" }, payload: { event: "call_analyzed", call } };
}

function words(content, from, to) {
  const all = content.split(" ");
  return all.map((word, j) => ({ word, start: (from + ((to - from) * j) / all.length) / 1000, end: (from + ((to - from) * (j + 1)) / all.length) / 1000 }));
}

/** sales is a record in our own form. */
function sales({ i, start, version, random, pick }) {
  const messages = [{ role: "assistant", start: 300, content: "Hi, this is Nova from sales." }];
  let at = 2600;
  for (let k = 0; k < 2 + Math.floor(4 * random()); k++) {
    messages.push({ role: "user", start: at, content: k === 0 ? pick(Asks) : pick(Calm).replace("{n}", String(11 + Math.floor(900 * random()))) });
    at += 3200;
    messages.push({ role: "assistant", start: at, content: pick(Answers) });
    at += 3000;
  }
  return {
    provider: "custom", externalAgentId: "sales", metadata: { agent_version: version },
    payload: {
      call_id: `c-${i}`, recording_url: "http://127.0.0.1:9/none.wav", from_number: `+1556${1_000_000 + i}`, to_number: "+15550124",
      start_timestamp: start, end_timestamp: start + at, status: random() < 0.02 ? "error" : "ended", transcript: { kind: "chat_completion", messages },
    },
  };
}

/** dice is a small random number generator (mulberry32): the same seed gives the same numbers. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  };
}
