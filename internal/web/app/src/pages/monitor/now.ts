import { queries, type Schemas } from "../../api/client";
import { labelOf, Metrics, spanText, valueText } from "../../parts/metrics";
import { asBefore, type Scope, windowOf } from "./scope";

/** Shown are the metrics on the overview. */
export const Shown = ["calls", "failed_rate", "error_rate", "drop_off_rate", "upset_rate", "latency_p50", "latency_p95", "cost"];

const hour = 3_600_000;

/** nowOf are the two queries of the overview: the present figures, and their course. Both go up to the end of the current hour. */
export function nowOf(scope: Scope, now: number) {
  const { from: _, ...asked } = windowOf({ ...scope, last: "3d" }, now);
  const course = { ...asked, from: asked.until - 72 * hour, step: "hour" as const, metrics: Shown.join(",") };
  return {
    overview: queries.queryOptions("get", "/monitoring/overview", { params: { query: asked } }, { placeholderData: asBefore(asked) }),
    trends: queries.queryOptions("get", "/monitoring/trends", { params: { query: course } }, { placeholderData: asBefore(course) }),
  };
}

/** Counted is how many calls there were in the 24 complete hours before until, which the figures are about, and how many came since. */
export interface Counted {
  calls: number;
  since: number;
  until: number;
}

/** countedOf splits the calls by hour into those of complete hours and those since; undefined while they are not known. */
export function countedOf(points: { at: number; n: number }[] | undefined, until: number): Counted | undefined {
  if (!points) return undefined;
  const sum = (from: number, to: number) => points.reduce((all, { at, n }) => (at >= from && at < to ? all + n : all), 0);
  return { calls: sum(until - 24 * hour, until), since: sum(until, Number.POSITIVE_INFINITY), until };
}

/** completeBefore is the end of the last complete hour. */
export function completeBefore(scope: Scope, now: number): number {
  return scope.until ?? Math.floor(now / hour) * hour;
}

/**
 * outside tells on which side of the usual band a figure lies; undefined within it. A figure that is as near to the band as whole calls allow counts as within it:
 * 0 of 100 calls, where 0.1 % would be the least that is usual.
 */
export function outside({ seen, low, high, n, unit }: Pick<Schemas["MetricNow"], "seen" | "low" | "high" | "n" | "unit">): "above" | "below" | undefined {
  if (seen == null || low == null || high == null) return undefined;
  const half = unit === "calls" ? 0.5 : unit === "share" && n > 0 ? 0.5 / n : 0;
  if (seen - half > high) return "above";
  return seen + half < low ? "below" : undefined;
}

/** isWorse tells whether a figure lies outside the usual band on its worse side; for the number of calls that is below. */
export function isWorse(metric: Schemas["MetricNow"]): boolean {
  const good = metric.metric === "calls" ? "up" : Metrics[metric.metric]?.good;
  const side = outside(metric);
  return (side === "above" && good === "down") || (side === "below" && good === "up");
}

/** doubtful says which figures are worse than usual though no anomaly was found; undefined when none is. */
export function doubtful(metrics: Schemas["MetricNow"][]): string | undefined {
  const worse = metrics
    .filter((metric) => Shown.includes(metric.metric) && isWorse(metric))
    .map(({ metric, seen, low, high, unit }) => `${labelOf(metric)} ${valueText(seen, unit)} (usually ${spanText(low ?? 0, high ?? 0, unit)})`);
  return worse.length > 0 ? `Nothing clearly departs from the usual. Worse than usual, but possibly by chance: ${worse.join(", ")}.` : undefined;
}
