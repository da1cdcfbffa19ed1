import { type Bag, bagOf } from "./draft";

/** freshCase is an empty case of a branch. It is parsed, since an object literal with a key "then" looks like a promise to the linter. */
export function freshCase(): Bag {
  return JSON.parse('{"any":[""],"then":[]}') as Bag;
}

/** Kinds are the actions that a step can have, each with the value of a new one. */
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

/** kindOf is the action of a step; "" when it is unknown. Some actions may be written as bare words: "hang_up". */
export function kindOf(step: unknown): string {
  if (typeof step === "string") return Object.hasOwn(Kinds, step) ? step : "";
  return Object.keys(bagOf(step)).find((key) => Object.hasOwn(Kinds, key)) ?? "";
}

/** KindOptions are the actions as options of a select. */
export const KindOptions = Object.entries(Kinds).map(([value, { label }]) => ({ value, label }));
