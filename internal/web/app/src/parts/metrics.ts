import { count, figure, percent } from "./format";

/** Metric is what a figure of monitoring is called and means. */
export interface Metric {
  label: string;
  /** good is the direction that is better; undefined where there is none. */
  good?: "up" | "down";
  about: string;
}

/** Metrics are the figures of monitoring by their name in the interface, the most important first. */
export const Metrics: Record<string, Metric> = {
  calls: { label: "Calls", about: "Calls that were reviewed" },
  failed_rate: { label: "Failing calls", good: "down", about: "Failed a required scorer, were reported unsuccessful, or ended because of a fault of the agent, the line or the platform" },
  error_rate: { label: "Errors", good: "down", about: "Calls that ended because something did not work" },
  drop_off_rate: { label: "Drop-off", good: "down", about: "Answered calls whose caller hung up before reaching the goal" },
  upset_rate: { label: "Upset callers", good: "down", about: "Calls with an upset caller" },
  latency_p50: { label: "Turn latency, median", good: "down", about: "As measured on the recording" },
  latency_p95: { label: "Turn latency, p95", good: "down", about: "As measured on the recording" },
  reported_latency_p50: { label: "Reported latency, median", good: "down", about: "End to end, as the platform reports it" },
  reported_latency_p95: { label: "Reported latency, p95", good: "down", about: "End to end, as the platform reports it" },
  pass_rate: { label: "Passed", good: "up", about: "Share of the evaluated calls" },
  answered_rate: { label: "Answered", good: "up", about: "Calls that the agent answered" },
  frustration: { label: "Frustration", good: "down", about: "Mean over calls, 0 to 1" },
  valence: { label: "Callers' mood", good: "up", about: "Mean valence of calls, −1 (negative) to 1 (positive)" },
  reported_valence: { label: "Callers' mood, reported", good: "up", about: "Mean of what the platform says: negative −1, neutral 0, positive 1" },
  duration_p50: { label: "Duration, median", about: "From the answer to the end" },
  cost: { label: "Cost per call", good: "down", about: "Of the calls whose cost is known" },
};

export function labelOf(metric: string): string {
  return Metrics[metric]?.label ?? metric.replaceAll("_", " ");
}

/** digitsOf is how many decimals a figure needs: the usual ones, or more for one that would be rounded to 0. */
function digitsOf(value: number, usual: number): number {
  const rounds = value !== 0 && Math.abs(value) * 10 ** usual < 0.5;
  return rounds ? Math.min(8, Math.ceil(-Math.log10(Math.abs(value)))) : usual;
}

/** usualDigits are the usual decimals of a figure of this size and unit. */
function usualDigits(size: number, unit: string): number {
  switch (unit) {
    case "share":
      return size !== 0 && size < 0.1 ? 1 : 0;
    case "s":
      return size < 10 ? 2 : size < 100 ? 1 : 0;
    case "usd":
      return size < 1 ? 3 : 2;
    default:
      return 2;
  }
}

/** written writes a figure in its unit with so many decimals. */
function written(value: number, unit: string, digits: number): string {
  switch (unit) {
    case "share":
      return percent(value, digits);
    case "s":
      return `${value.toFixed(digits)} s`;
    case "usd":
      return `$${value.toFixed(digits)}`;
    default:
      return value.toFixed(digits);
  }
}

/** valueText writes a figure of monitoring in its unit. */
export function valueText(value: number | null | undefined, unit: string): string {
  if (value == null || !Number.isFinite(value)) return figure(null);
  if (unit === "calls") return count(Math.round(value));
  return written(value, unit, digitsOf(unit === "share" ? value * 100 : value, usualDigits(Math.abs(value), unit)));
}

/** ticksText labels the marks of an axis, all with as many decimals as tell each from the next. Between whole numbers of calls marks have no label. */
export function ticksText(ticks: number[], unit: string): string[] {
  if (unit === "calls") return ticks.map((tick) => (Number.isInteger(tick) ? count(tick) : ""));
  if (ticks.length < 2) return ticks.map((tick) => valueText(tick, unit));
  const scale = unit === "share" ? 100 : 1;
  const step = Math.min(...ticks.slice(1).map((tick, i) => Math.abs(tick - (ticks[i] ?? 0))));
  const exact = (digits: number) => ticks.every((tick) => Math.abs(Number((tick * scale).toFixed(digits)) - tick * scale) < (step * scale) / 100);
  let digits = 0;
  while (digits < 8 && !exact(digits)) digits++;
  return ticks.map((tick) => written(tick, unit, digits));
}

/** spanText writes a band of usual values, with the unit once. A band of shares is cut to 0 and 1, beyond which the statistics may reach. */
export function spanText(low: number, high: number, unit: string): string {
  const [from, to] = unit === "share" ? [valueText(Math.max(0, low), unit), valueText(Math.min(1, high), unit)] : [valueText(low, unit), valueText(high, unit)];
  const tail = / (%|s)$/.exec(to)?.[0];
  return tail && from.endsWith(tail) ? `${from.slice(0, -tail.length)} to ${to}` : `${from} to ${to}`;
}
