import type { Schemas } from "../../api/client";
import { counted, duration } from "../../parts/format";

type Item = Schemas["Item"];
type Step = Schemas["Step"];

// Items in a few words, for lists.

/** firstLine says what an item is about: its goal, or the first line of its script. */
export function firstLine(item: Item): string {
  if (item.input?.goal) return item.input.goal;
  for (const step of steps(item)) {
    if (step.say) return `“${step.say}”`;
  }
  return steps(item).length > 0 ? "says nothing" : "";
}

const steps = (item: Item): Step[] => item.input?.script ?? [];

/** behaviours lists what the caller does besides talking in turn, and how often. */
export function behaviours(item: Item): string {
  const seen = new Map<string, number>();
  const note = (word: string) => seen.set(word, (seen.get(word) ?? 0) + 1);
  walk(steps(item), note);
  return [...seen].map(([word, n]) => (n > 1 ? `${word} ×${n}` : word)).join(", ");
}

function walk(list: Step[], note: (word: string) => void) {
  for (const step of list) {
    if (step.interrupt) note("interrupts");
    if (step.backchannel) note("mm-hm");
    if (step.stay_silent_ms) note("is silent");
    if (step.press) note("presses keys");
    if (step.repeat_if_misunderstood) note("repeats");
    if (step.wait_for_words) note("waits for words");
    if (step.branch) note("branches");
    walk(step.wait_for_words?.otherwise ?? [], note);
    walk(step.branch?.otherwise ?? [], note);
    for (const each of step.branch?.cases ?? []) walk(each.then ?? [], note);
  }
}

/** expectations counts what is expected of the agent, by kind. */
export function expectations(item: Item): string {
  const out = item.output ?? {};
  const tools = out.tool_calls ?? [];
  const counts: [number, string, string][] = [
    [out.say?.length ?? 0, "say", "say"],
    [out.do_not_say?.length ?? 0, "not say", "not say"],
    [Object.keys(out.facts_stated ?? {}).length, "fact", "facts"],
    [tools.length, "tool", "tools"],
    [out.outcome ? 1 : 0, "end", "end"],
    [Object.keys(out.timing ?? {}).length, "timing", "timings"],
    [out.rubric?.length ?? 0, "assertion", "assertions"],
  ];
  return counts.filter(([n]) => n > 0).map(([n, one, many]) => `${n} ${n === 1 ? one : many}`).join(" · ");
}

/** limits lists the limits of the call. */
export function limits(item: Item): string {
  const of = item.input?.limits;
  if (!of) return "";
  const parts = [];
  if (of.max_duration_ms) parts.push(`≤ ${duration(of.max_duration_ms)}`);
  if (of.max_turns) parts.push(counted(of.max_turns, "turn"));
  if (of.max_silence_ms) parts.push(`silence ${of.max_silence_ms / 1000} s`);
  return parts.join(", ");
}

/** persona names who calls. */
export function persona(item: Item): string {
  const who = item.input?.persona;
  return [who?.name, who?.voice].filter(Boolean).join(" · ");
}
