import type { Schemas } from "../../api/client";
import { count, percent } from "../../parts/format";

/** Headline is what a comparison says first: which way it went, in a sentence, and how far to trust that. */
interface Headline {
  /** change is one that Change knows. */
  change: string;
  title: string;
  caution?: string;
}

type Told = Pick<Schemas["ExperimentComparison"], "pass_rate" | "changed_calls" | "changed_count">;

/**
 * headlineOf says which way it went. Where there are too few calls to be sure, but all calls that changed went the same way, it says so, and that it may be chance:
 * somebody who has just corrected something wants to know both.
 */
export function headlineOf({ pass_rate: rate, changed_calls: changed, changed_count: all }: Told): Headline {
  const { change, difference, both } = rate;
  const { base, with: later } = both ?? rate; // the difference is that of the scenarios that both have, which may go the other way than all
  if (base.value == null || later.value == null) return { change, title: "There is too little evidence: one of the two has nothing evaluated" };
  const rates = `${percent(base.value)} of the calls passed before${both ? " in the scenarios that both have" : ""}, ${percent(later.value)} now`;
  switch (change) {
    case "better":
      return { change, title: `It got better: ${rates}` };
    case "worse":
      return { change, title: `It got worse: ${rates}` };
    case "same":
      return difference.outcome === "not_enough"
        ? { change, title: "No difference was seen, but there is too little evidence to rule one out" }
        : { change, title: "The pass rate stayed the same" };
  }
  const [mended, broken] = ["better", "worse"].map((way) => changed.filter((call) => call.change === way).length) as [number, number];
  const oneWay = changed.length === all && (mended === 0) !== (broken === 0);
  if (!oneWay) return { change, title: "There is too little evidence to tell whether the pass rate changed" };
  const caution = `It may be chance: ${difference.reason || "there is too little evidence"}. Run more calls per scenario to find out.`;
  return mended > 0
    ? { change: "looks_better", title: `It looks better: ${rates}, and no call that passed before fails now`, caution }
    : { change: "looks_worse", title: `It looks worse: ${rates}, and no call that failed before passes now`, caution };
}

type Counts = Schemas["Experiment"]["counts"];

/** uncountedOf says which calls no difference includes: void ones, and those without a verdict because the experiment is still running or was canceled. */
export function uncountedOf({ base, with: later }: Record<"base" | "with", { counts: Counts }>): string[] {
  const told = (what: string, of: (counts: Counts) => number) => {
    const [before, after] = [of(base.counts), of(later.counts)];
    return before + after > 0 ? [`${what} are left out of the differences: ${count(before)} in the base, ${count(after)} in the other.`] : [];
  };
  return [
    ...told("Void calls", (counts) => counts.void),
    ...told("Calls without a verdict", (counts) => counts.calls - counts.passed - counts.failed - counts.void - counts.not_evaluated),
  ];
}
