import { type Bag, bagOf } from "./draft";

/** freshCase is a case of a branch in which nothing is written yet. */
export function freshCase(): Bag {
  return JSON.parse('{"any":[""],"then":[]}') as Bag;
}

/** Kinds are the actions of a step, with what a new one begins as. */
export const Kinds: Record<string, { label: string; fresh: unknown }> = {
  say: { label: "say", fresh: "" },
  wait_for_agent: { label: "wait for the agent", fresh: {} },
  wait_for_words: { label: "wait for words", fresh: { any: [""] } },
  press: { label: "press keys", fresh: "" },
  stay_silent_ms: { label: "stay silent", fresh: 2000 },
  interrupt: { label: "interrupt", fresh: { after_ms: 1000, say: "" } },
  backchannel: { label: "mm-hm", fresh: { after_ms: 800, say: "mm-hm" } },
  repeat_if_misunderstood: { label: "repeat if misunderstood", fresh: {} },
  branch: { label: "branch", fresh: { cases: [freshCase()] } },
  hang_up: { label: "hang up", fresh: true },
};

/** kindOf is the action of a step; "" when there is none that is known. Three may be written as bare words. */
export function kindOf(step: unknown): string {
  if (typeof step === "string") return Object.hasOwn(Kinds, step) ? step : "";
  return Object.keys(bagOf(step)).find((key) => Object.hasOwn(Kinds, key)) ?? "";
}

/** KindOptions are the actions as choices of a list. */
export const KindOptions = Object.entries(Kinds).map(([value, { label }]) => ({ value, label }));
