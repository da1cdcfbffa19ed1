import { plain, short } from "../../parts/format";
import type { Detail, Score, Turn } from "./types";

/** Stretch is a part of a call, in ms since the answer. */
export interface Stretch {
  start: number;
  end: number;
}

/** Tool is a function that the agent called; result is null when it is not known. */
export interface Tool {
  id: string;
  name: string;
  args: string;
  result: string | null;
  failed: boolean;
}

/** Entry is one line of the transcript. at is null when its time is not known. */
export type Entry = { key: string; at: number | null; end: number | null } & (
  | { kind: "turn"; turn: Turn; latency: number | null; findings: Finding[] }
  | { kind: "tool"; tool: Tool }
  | { kind: "silence" }
  | { kind: "note"; icon: "digit" | "stage" | "hang_up" | "event"; text: string }
);

/** Finding is evidence of a score that failed. */
interface Finding extends Stretch {
  score: Score;
  turn: number | null;
  quote: string;
}

/** Reply is an agent's answer to a turn of the caller's: from the caller's last sound to the agent's first. */
interface Reply extends Stretch {
  turn: number;
  /** ms is negative when the agent began too early and went on. */
  ms: number;
}

/** Story is a call in order of time, as the transcript lists it and the wave draws it. timed says that the times of turns are known. */
export interface Story {
  length: number;
  entries: Entry[];
  /** begins are the times, in ms and ascending, at which turns begin, and their index among the entries. */
  begins: { at: number; place: number }[];
  findings: Finding[];
  replies: Reply[];
  overlaps: Stretch[];
  silences: Stretch[];
  timed: boolean;
}

/** DeadAir is how long both sides must be silent to count, in ms. */
const DeadAir = 2000;
const PressTime = 100; // ms for which a line presses a key
const [Early, Late] = [200, 2750]; // ms between which an answer comes neither too soon nor too late
const Least = 100; // ms of overlap that are worth a mark
const Breath = 600; // ms of a pause that belongs to the speech around it
const Hitch = 350; // ms of a pause that ends no turn, whatever the other says

/** storyOf puts everything that is known of a call in order of time. */
export function storyOf(call: Detail): Story {
  const { turns } = call;
  const timed = turns.some((turn) => turn.start_ms >= 0);
  const speech = speechOf(call, turns);
  const length = Math.max(call.audio?.duration_ms ?? 0, call.speech.length_ms, call.duration_ms ?? 0, ...turns.map((turn) => turn.end_ms), 1000);
  const measured = speech.caller.length + speech.agent.length > 0;
  const silences = measured ? gaps(joined([...speech.caller, ...speech.agent, ...pressed(call)], 0), call.speech.length_ms || length, DeadAir) : [];
  const findings = findingsOf(call.scores);
  const replies = repliesOf(heard(call).length > 0 ? turns : takenTurns(turns), pressed(call));
  const story = { length, findings, replies, silences, overlaps: measured ? common(joined(speech.caller, Breath), joined(speech.agent, Breath)) : [], timed };
  const entries = entriesOf(call, story);
  return { ...story, entries, begins: beginsOf(entries) };
}

/** heard is where there is speech on the two channels of the recording; empty where there is only a transcript, or both sides on one channel. */
const heard = (call: Detail) => [...call.speech.caller, ...call.speech.agent];

/** pressed is when the caller pressed telephone keys: it did not wait for the agent then. */
const pressed = (call: Detail) =>
  call.timeline.filter((event) => event.kind === "digit_sent" && "digit" in event.data).map((event) => ({ start: event.at_ms, end: event.at_ms + PressTime }));

function speechOf(call: Detail, turns: Turn[]): { caller: Stretch[]; agent: Stretch[] } {
  if (heard(call).length > 0) return { caller: pairs(call.speech.caller), agent: pairs(call.speech.agent) };
  if (!endsAreTold(turns)) return { caller: [], agent: [] }; // silences would be guesses
  const of = (speaker: string) => turns.filter((turn) => turn.speaker === speaker && isTold(turn)).map((turn) => ({ start: turn.start_ms, end: turn.end_ms }));
  return { caller: of("caller"), agent: of("agent") };
}

const isTold = (turn: Turn) => turn.start_ms >= 0 && turn.end_ms > turn.start_ms;

/** endsAreTold tells whether the times of nearly all turns are known: the service computes figures from a transcript under the same condition. */
const endsAreTold = (turns: Turn[]) => turns.filter(isTold).length * 10 >= turns.length * 9;

/**
 * takenTurns merges the turns of a transcript as package timing does those of a recording: a turn goes on until the other side has spoken on after its last word.
 * What is said within it, such as an "mm-hm", splits it in a transcript only.
 */
function takenTurns(turns: Turn[]): Turn[] {
  const out: Turn[] = [];
  const open: Partial<Record<Turn["speaker"], Turn>> = {};
  for (const turn of turns.filter(isTold).sort((a, b) => a.start_ms - b.start_ms || a.end_ms - b.end_ms)) {
    const mine = open[turn.speaker];
    const theirs = open[turn.speaker === "caller" ? "agent" : "caller"];
    const silence = mine ? turn.start_ms - mine.end_ms : Number.POSITIVE_INFINITY;
    const breath = silence < Breath && theirs !== undefined && mine !== undefined && (turn.start_ms < theirs.end_ms || theirs.start_ms < mine.start_ms);
    if (mine && (!theirs || theirs.end_ms <= mine.end_ms || silence < Hitch || breath)) {
      mine.end_ms = Math.max(mine.end_ms, turn.end_ms);
      continue;
    }
    out.push((open[turn.speaker] = { ...turn }));
  }
  return out;
}

function pairs(flat: number[]): Stretch[] {
  const out: Stretch[] = [];
  for (let i = 0; flat && i + 1 < flat.length; i += 2) out.push({ start: flat[i] ?? 0, end: flat[i + 1] ?? 0 });
  return out;
}

/** joined sorts stretches and merges those that are at most pause apart. */
export function joined(stretches: Stretch[], pause: number): Stretch[] {
  const out: Stretch[] = [];
  for (const next of [...stretches].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && next.start - last.end <= pause) last.end = Math.max(last.end, next.end);
    else out.push({ ...next });
  }
  return out;
}

/** gaps are the silences longer than least between joined stretches, the beginning and the end included. */
export function gaps(stretches: Stretch[], length: number, least: number): Stretch[] {
  const out: Stretch[] = [];
  let at = 0;
  for (const { start, end } of [...stretches, { start: length, end: length }]) {
    if (start - at > least) out.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  return out;
}

/** common is where two lists of joined stretches overlap. */
export function common(a: Stretch[], b: Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i], b[j]];
    if (!x || !y) break;
    const [start, end] = [Math.max(x.start, y.start), Math.min(x.end, y.end)];
    if (end - start >= Least) out.push({ start, end });
    if (x.end < y.end) i++;
    else j++;
  }
  return out;
}

/**
 * repliesOf pairs each turn of the caller with the agent's first turn that follows it in the list, ends after it, and comes before the caller's next. Keys that the
 * caller pressed after its last word and before that belong to its turn.
 */
export function repliesOf(turns: Turn[], keys: Stretch[] = []): Reply[] {
  const out: Reply[] = [];
  if (!endsAreTold(turns)) return out;
  const known = turns.filter(isTold);
  known.forEach((turn, i) => {
    if (turn.speaker !== "caller" || turn.manner === "backchannel") return;
    for (const next of known.slice(i + 1)) {
      if (next.speaker === "caller") {
        if (next.manner !== "backchannel") return;
      } else if (next.end_ms > turn.end_ms) {
        const typed = keys.filter((key) => key.start >= turn.end_ms && key.start < next.start_ms).map((key) => Math.min(key.end, next.start_ms));
        const done = Math.max(turn.end_ms, ...typed);
        out.push({ turn: next.index, ms: next.start_ms - done, start: Math.min(done, next.start_ms), end: Math.max(done, next.start_ms) });
        return;
      }
    }
  });
  return out;
}

/** paceOf says whether an answer came sooner or later than people are used to; undefined between. */
export function paceOf(latency: number): "early" | "late" | undefined {
  if (latency < Early) return "early";
  return latency >= Late ? "late" : undefined;
}

function findingsOf(scores: Score[]): Finding[] {
  return scores
    .filter((score) => score.verdict === "failed")
    .flatMap((score) => score.evidence.map((e) => ({ score, turn: e.turn, quote: e.quote, start: e.start_ms, end: Math.max(e.end_ms, e.start_ms) })))
    .sort((a, b) => a.start - b.start);
}

function entriesOf(call: Detail, story: Omit<Story, "entries" | "begins">): Entry[] {
  const latency = new Map(story.replies.map((reply) => [reply.turn, reply.ms]));
  const entries: Entry[] = call.turns.map((turn) => ({
    key: `turn ${turn.index}`, kind: "turn", turn, at: turn.start_ms < 0 ? null : turn.start_ms, end: turn.end_ms < 0 ? null : turn.end_ms,
    latency: latency.get(turn.index) ?? null,
    findings: story.findings.filter((finding) => finding.turn === turn.index),
  }));
  const placed: Entry[] = [
    ...toolsOf(call),
    ...story.silences.map((s, i): Entry => ({ key: `silence ${i}`, kind: "silence", at: s.start, end: s.end })),
    ...notesOf(call),
  ];
  return merged(entries, placed);
}

/** merged inserts each other entry before the first turn that begins later; those without a time come last. The turns keep their order. */
function merged(turns: Entry[], placed: Entry[]): Entry[] {
  const sorted = [...placed].sort((a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY));
  const out: Entry[] = [];
  let next = 0;
  for (const turn of turns) {
    for (let other = sorted[next]; other && turn.at !== null && (other.at ?? Number.POSITIVE_INFINITY) < turn.at; other = sorted[next]) {
      out.push(other);
      next++;
    }
    out.push(turn);
  }
  return [...out, ...sorted.slice(next)];
}

function toolsOf(call: Detail): Entry[] {
  const reported = call.reported?.tool_calls ?? [];
  if (reported.length > 0) {
    return reported.map((t, i) => ({ key: `tool ${i}`, kind: "tool", at: t.at_ms, end: null, tool: { id: t.id, name: t.name, args: t.arguments, result: t.result, failed: t.failed } }));
  }
  const { messages } = call.transcript;
  return messages.flatMap((m, i) =>
    (m.tool_calls ?? []).map((t): Entry => {
      const answer = messages.find((other) => other.role === "tool" && other.tool_call_id === t.id);
      return { key: `tool ${i} ${t.id}`, kind: "tool", at: m.start ?? null, end: null, tool: { id: t.id, name: t.function.name, args: t.function.arguments, result: answer?.content ?? null, failed: false } };
    }),
  );
}

// The other events of the timeline that are worth a line; the tab Raw has all of them.
const Told = [
  "held", "resumed", "media_gap", "media_source_changed", "agent_left", "agent_rejoined", "agent_muted", "agent_unmuted", "message_received", "line_reconnecting",
  "line_reconnected", "media_undecodable", "prompted", "gave_up", "goal_reached", "words_missed", "repeated", "late", "our_fault",
];

function notesOf(call: Detail): Entry[] {
  const stages = (call.reported?.stages ?? []).map((stage, i): Entry => ({ key: `stage ${i}`, kind: "note", icon: "stage", at: stage.at_ms, end: null, text: stage.name }));
  const events = call.timeline.flatMap((event, i): Entry[] => {
    const entry = (icon: "digit" | "hang_up" | "event", text: string): Entry[] => [{ key: `event ${i}`, kind: "note", icon, at: event.at_ms, end: event.end_ms, text }];
    const digit = event.text ?? String(event.data["digit"] ?? event.data["digits"] ?? "");
    switch (event.kind) {
      case "digit_sent":
        return entry("digit", `The caller pressed ${digit}`);
      case "digit_received":
        return entry("digit", `The agent pressed ${digit}`);
      case "hang_up":
        return entry("hang_up", hangUp(event.data));
      default:
        return Told.includes(event.kind) ? entry("event", [plain(event.kind), event.text ?? dataText(event.data)].filter(Boolean).join(": ")) : [];
    }
  });
  return [...stages, ...events];
}

function hangUp(data: Record<string, unknown>): string {
  const by = data["by"];
  return typeof by === "string" ? `Hung up by the ${plain(by)}` : "Hung up";
}

function dataText(data: Record<string, unknown>): string {
  const written = ([name, value]: [string, unknown]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const length = /^(?:(.*)_)?ms$/.exec(name); // "ms", "after_ms"
    return length && typeof value === "number" ? `${length[1] ? `${plain(length[1])} ` : ""}${short(value)}` : `${plain(name)} ${text}`;
  };
  return Object.entries(data).map(written).join(", ");
}

/** entryAt is the index of the last turn that has begun at a time; -1 before the first. It is asked with each frame, so it is a binary search. */
export function entryAt({ begins }: Story, ms: number): number {
  let [low, high] = [0, begins.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((begins[middle]?.at ?? 0) > ms) high = middle;
    else low = middle + 1;
  }
  return begins[low - 1]?.place ?? -1;
}

/** beginsOf are the times at which turns begin, made ascending: a turn that is said to begin before the one ahead of it counts from there. */
function beginsOf(entries: Entry[]): Story["begins"] {
  let latest = Number.NEGATIVE_INFINITY;
  return entries.flatMap(({ kind, at }, place) => {
    if (kind !== "turn" || at === null) return [];
    latest = Math.max(latest, at);
    return [{ at: latest, place }];
  });
}
