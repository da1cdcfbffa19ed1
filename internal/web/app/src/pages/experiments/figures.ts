import type { Schemas } from "../../api/client";
import { count, percent } from "../../parts/format";

/** Experiment is a test run as the interface gives it. */
export type Experiment = Schemas["Experiment"];

/** Rate is a share of calls with its 95 % interval; all null where nothing was evaluated. */
export interface Rate {
  passed: number;
  evaluated: number;
  value: number | null;
  low: number | null;
  high: number | null;
}

const Z = 1.959963984540054; // the standard normal quantile of a 95 % interval

/** rateOf is the share that passed of those that count, with Wilson's interval. */
export function rateOf(passed: number, evaluated: number): Rate {
  if (evaluated === 0) return { passed, evaluated, value: null, low: null, high: null };
  const value = passed / evaluated;
  const scale = 1 + (Z * Z) / evaluated;
  const middle = value + (Z * Z) / (2 * evaluated);
  const reach = Z * Math.sqrt((value * (1 - value)) / evaluated + (Z * Z) / (4 * evaluated * evaluated));
  return { passed, evaluated, value, low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}

/** spanOf writes the interval of a rate: "72–98 %". An end is 0 or 100 only where it is exactly that. */
export function spanOf({ low, high }: Pick<Rate, "low" | "high">): string {
  return low == null || high == null ? "" : `${percent(low).replace(" %", "")}–${percent(high)}`;
}

/** steadyOf says in how many scenarios every repetition passed. */
export function steadyOf(rate: Rate): string {
  if (rate.value == null) return "No scenario has been evaluated in every repetition";
  return `Every repetition passed in ${percent(rate.value)} of the scenarios (${count(rate.passed)} of ${count(rate.evaluated)}; 95 %: ${spanOf(rate)})`;
}

/** isOver tells whether an experiment has ended. */
export function isOver(status: string | undefined): boolean {
  return status === "FINISHED" || status === "FAILED" || status === "SCORING_FAILED" || status === "CANCELED";
}

/** tookOf is how long an experiment lasted, or has lasted until now, in ms. */
export function tookOf(e: Pick<Experiment, "created_at" | "started_at" | "finished_at" | "status">, now: number): number | null {
  const from = e.started_at ?? e.created_at;
  if (isOver(e.status) && e.finished_at == null) return null;
  return Math.max(0, (e.finished_at ?? now) - from);
}

/** settled is how many calls have a verdict. */
export function settled({ passed, failed, void: none, not_evaluated }: Experiment["counts"]): number {
  return passed + failed + none + not_evaluated;
}

/** toldOf is the number of settled calls as screen readers hear it: it grows in steps of a tenth of all calls, so that they are not interrupted by each one. */
export function toldOf(done: number, calls: number): number {
  return done >= calls ? done : done - (done % Math.max(1, Math.ceil(calls / 10)));
}
