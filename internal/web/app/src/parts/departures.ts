import type { Schemas } from "../api/client";
import type { SearchOf, Target } from "./go";

/** Departure is one departure from the usual. */
export type Departure = Schemas["Anomaly"];

/** dimensionName is what a dimension is called: "agent version", or the metadata key that it is. */
export function dimensionName(dimension: string): string {
  return dimension.startsWith("metadata.") ? dimension.slice("metadata.".length) : dimension.replaceAll("_", " ");
}

/** whoseCalls tells whose calls departed: those of all agents, of one, or those with a value of a dimension. */
export function whoseCalls(a: Departure, nameOf: (id: string | null) => string): string {
  if (!a.dimension) return nameOf(a.agent_id);
  const value = `${dimensionName(a.dimension)} ${a.value ?? ""}`;
  return a.agent_id ? `${value}, ${nameOf(a.agent_id)}` : value;
}

/** distinct leaves out a reported metric where the measured one departed for the same calls: both say the same. */
export function distinct(departures: Departure[]): Departure[] {
  const measured = new Set(departures.map((a) => `${a.metric} ${ofWhom(a)}`));
  return departures.filter((a) => !a.metric.startsWith("reported_") || !measured.has(`${a.metric.slice("reported_".length)} ${ofWhom(a)}`));
}

const ofWhom = (a: Departure) => `${a.agent_id} ${a.dimension} ${a.value}`;

/** Stretch is when a metric departed from the usual, and whether that was to the worse side. */
export interface Stretch {
  from: number;
  until: number;
  worse: boolean;
}

/** stretchesOf are the departures of all calls, or of one agent, by metric. Those of the calls with one value of a dimension are not among them: most of the calls drawn did not depart. */
export function stretchesOf(departures: Departure[], agent: string | undefined): Map<string, Stretch[]> {
  const byMetric = new Map<string, Stretch[]>();
  for (const a of departures) {
    if (a.dimension || (a.agent_id ?? undefined) !== agent) continue;
    byMetric.set(a.metric, [...(byMetric.get(a.metric) ?? []), { from: a.start, until: a.end, worse: a.worse }]);
  }
  return byMetric;
}

const hour = 3_600_000;

/** around is the scope of a departure with two days before and one after it, so that one sees what was usual. */
export function around(a: Departure) {
  return { ...scopeOf(a), last: undefined, from: a.start - 48 * hour, until: a.end + 24 * hour };
}

function scopeOf(a: Departure) {
  return { agent: a.agent_id ?? undefined, dim: a.dimension ?? undefined, value: a.value ?? undefined };
}

/** Asked are the parameters that all operations of monitoring take. */
export interface Asked {
  origin?: Schemas["Overview"]["origin"];
  agent_id?: string;
  dimension?: string;
  value?: string;
  from: number;
  until: number;
}

/** callsIn is the search by which the list of calls shows exactly the calls of a monitoring request. */
export function callsIn({ origin = "production", agent_id: agent, dimension, value = "", from, until }: Asked): SearchOf<"/calls"> {
  const search = { origin, agent, from, until };
  return dimension ? { ...search, dim: dimension, value } : search;
}

/**
 * callsOf leads to the calls of a departure. They may be more than the n that it is based on: those are the calls that have the metric, and where departures were
 * merged the calls of the worst of them.
 */
export function callsOf(a: Departure): Target {
  return { to: "/calls", search: callsIn({ agent_id: a.agent_id ?? undefined, dimension: a.dimension ?? undefined, value: a.value ?? undefined, from: a.start, until: a.end }) };
}

const Reasons: Record<string, [to: "/monitor/upset" | "/monitor/failures" | "/monitor/drop-off", label: string]> = {
  upset_rate: ["/monitor/upset", "What they said"],
  frustration: ["/monitor/upset", "What they said"],
  valence: ["/monitor/upset", "What they said"],
  failed_rate: ["/monitor/failures", "How they failed"],
  error_rate: ["/monitor/failures", "How they failed"],
  drop_off_rate: ["/monitor/drop-off", "Where they left"],
};

/** reasonsOf leads to what is behind a departure of a share: the sentences, the groups, the places. */
export function reasonsOf(a: Departure): (Target & { label: string }) | undefined {
  const [to, label] = Reasons[a.metric] ?? [];
  return to && label ? { to, label, search: { ...scopeOf(a), from: a.start, until: a.end } } : undefined;
}
