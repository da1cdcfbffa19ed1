import type { Schemas } from "../../api/client";
import { valueText } from "../../parts/metrics";
import type { Course } from "./pooled";
import type { Running } from "./running";

/** Line is a metric as it is drawn. */
export type Line = { unit: string; points: (Schemas["TrendPoint"] & Course & Running)[] };

/** readout describes a point; first is the first of the points that are pooled in it. */
export function readout(point: Line["points"][number], unit: string, when: (ms: number) => string, first?: Schemas["TrendPoint"]): string {
  if (point.soFar !== undefined) return `${when(point.at)} · ${valueText(point.soFar, unit)} so far`;
  const band = point.low != null && point.high != null ? ` · usual ${valueText(point.low, unit)} to ${valueText(point.high, unit)}` : "";
  const usual = point.over && point.expected != null ? ` · usual ${valueText(point.expected, unit)}` : band;
  const rests = point.count != null ? `${point.count} of ${point.n}` : `n ${point.n}`;
  const since = first ? ` since ${when(first.at)}` : "";
  return `${when(point.at)} · ${valueText(point.value, unit)} (${rests}${since})${usual}`;
}

/** summary describes the whole line, for screen readers and while nothing is pointed at. */
export function summary(line: Line): string {
  const values = line.points.map((p) => p.value).filter((v): v is number => v != null);
  if (values.length === 0) return "Nothing in this time";
  const over = line.points.some((p) => p.over) ? " · each over 10 calls or more" : "";
  return `Latest ${valueText(values.at(-1), line.unit)} · lowest ${valueText(Math.min(...values), line.unit)} · highest ${valueText(Math.max(...values), line.unit)}${over}`;
}
