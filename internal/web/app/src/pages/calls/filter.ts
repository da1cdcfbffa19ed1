import { EndReasons } from "../../parts/endreasons";
import { moment, plain } from "../../parts/format";
import { instant, text } from "../../shell/routes";

/** Filter narrows the list of calls. It is kept in the address. */
export interface Filter {
  q?: string;
  origin?: string;
  agent?: string;
  experiment?: string;
  status?: string;
  verdict?: string;
  end?: string;
  sentiment?: string;
  upset?: string;
  /** last is a length of time up to now, a key of Spans. */
  last?: string;
  /** from and until are milliseconds since 1970. */
  from?: number;
  until?: number;
  /** meta are metadata keys with their values, written by pairOf. */
  meta?: string[];
  /** left is where callers left before their goal: "early" for anywhere, or "turns:3", "seconds:10-15", "stage:NAME", "words:4,17". */
  left?: string;
  /** failing narrows to calls that monitoring counts as failing: "any" of them, or those of the group with these numbers, "4,17". */
  failing?: string;
  /** dim and value narrow to the calls with one value of a dimension of monitoring. */
  dim?: string;
  value?: string;
}

const hour = 3_600_000;

/** Spans are the lengths of time up to now that can be chosen. */
export const Spans: Record<string, { label: string; ms: number }> = {
  "1h": { label: "last hour", ms: hour }, "24h": { label: "last 24 hours", ms: 24 * hour }, "7d": { label: "last 7 days", ms: 168 * hour },
  "28d": { label: "last 28 days", ms: 672 * hour }, "90d": { label: "last 90 days", ms: 2160 * hour },
};

/** Choices are the values that each field may have. */
export const Choices = {
  origin: ["simulated", "production"],
  status: ["QUEUED", "DIALING", "IN_PROGRESS", "ENDED", "FAILED", "CANCELED"],
  verdict: ["passed", "failed", "void", "not_evaluated"],
  end: EndReasons,
  sentiment: ["negative", "neutral", "positive"],
  upset: ["true", "false"],
} as const;

type Choice = keyof typeof Choices;

/** filterOf reads a filter from search parameters and ignores what is not valid. It has every key: the router lays it over the parameters as they came. */
export function filterOf(search: Record<string, unknown>): Filter {
  const choice = (name: Choice) => {
    const value = text(search, name);
    return value !== undefined && (Choices[name] as readonly string[]).includes(value) ? value : undefined;
  };
  const last = text(search, "last");
  const [from, until] = [instant(search, "from"), instant(search, "until")];
  const meta = metaOf(search["meta"]);
  return {
    q: text(search, "q"), origin: choice("origin"), agent: text(search, "agent"), experiment: text(search, "experiment"), status: choice("status"),
    verdict: choice("verdict"), end: choice("end"), sentiment: choice("sentiment"), upset: choice("upset"),
    last: last && Object.hasOwn(Spans, last) && from === undefined && until === undefined ? last : undefined, from, until, meta: meta.length > 0 ? meta : undefined,
    ...countedOf(search),
  };
}

const Left = /^(early|turns:\d+\+?|seconds:\d+(-\d+|\+)|stage:.+|words:\d+(,\d+)*)$/s;

const Group = /^(any|\d+(,\d+)*)$/;

/** countedOf reads the filters that pages of monitoring link to, for exactly the calls that they have counted. */
function countedOf(search: Record<string, unknown>): Pick<Filter, "left" | "failing" | "dim" | "value"> {
  const [left, failing, dim, value] = [text(search, "left"), text(search, "failing"), text(search, "dim"), text(search, "value")];
  const whole = dim !== undefined && value !== undefined;
  return {
    left: left && Left.test(left) ? left : undefined, failing: failing && Group.test(failing) ? failing : undefined, dim: whole ? dim : undefined, value: whole ? value : undefined,
  };
}

/** placeOf splits where callers left into its kind and its place. */
function placeOf(left: string): [kind: string, place: string] {
  const cut = left.indexOf(":");
  return cut < 0 ? [left, "true"] : [left.slice(0, cut), left.slice(cut + 1)];
}

/** leftLabel says in words where callers left. */
function leftLabel(left: string): string {
  const [kind, place] = placeOf(left);
  switch (kind) {
    case "turns":
      return `left early after ${place} ${place === "1" ? "turn" : "turns"}`;
    case "seconds":
      return `left early at ${place} s`;
    case "stage":
      return `left early in ${place}`;
    case "words":
      return "left early after the same words";
  }
  return "left early";
}

/** pairOf writes metadata as KEY=VALUE. "=" and "%" in the key are percent-encoded, so that partsOf finds where it ends. */
export function pairOf(key: string, value: string): string {
  return `${key.replace(/[%=]/g, encodeURIComponent)}=${value}`;
}

function partsOf(pair: string): [key: string, value: string] {
  const cut = pair.indexOf("=");
  return [pair.slice(0, cut).replace(/%(25|3D)/gi, decodeURIComponent), pair.slice(cut + 1)];
}

const MostMeta = 8;

/** withPair adds a pair. A call has one value for a key, so a new value replaces the one before. */
export function withPair(meta: string[], pair: string): string[] {
  const [key] = partsOf(pair);
  return [...meta.filter((other) => partsOf(other)[0] !== key), pair].slice(-MostMeta);
}

function metaOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string" && one.indexOf("=") > 0).slice(0, MostMeta).reduce(withPair, []);
}

/** questionOf is the query of the request for these calls. now is where lengths of time end. */
export function questionOf(filter: Filter, now: number): Record<string, string | number> {
  const question: Record<string, string | number | undefined> = {
    search: filter.q?.trim() || undefined, origin: filter.origin, agent_id: filter.agent, voice_experiment_id: filter.experiment, status: filter.status,
    verdict: filter.verdict, end_reason: filter.end, sentiment: filter.sentiment, upset: filter.upset,
    from: filter.last ? now - (Spans[filter.last]?.ms ?? 0) : filter.from, until: filter.until,
  };
  if (filter.left) {
    const [kind, place] = placeOf(filter.left);
    question[`left_${kind}`] = place;
  }
  if (filter.failing) Object.assign(question, filter.failing === "any" ? { failing: "true" } : { failing_alike: filter.failing });
  if (filter.dim) Object.assign(question, { dimension: filter.dim, value: filter.value });
  for (const pair of filter.meta ?? []) {
    const [key, value] = partsOf(pair);
    question[`metadata.${key}`] = value;
  }
  return Object.fromEntries(Object.entries(question).filter((entry): entry is [string, string | number] => entry[1] !== undefined));
}

/** Chip is one active filter: its label, and the change that removes it. */
export interface Chip {
  key: string;
  label: string;
  without: Partial<Filter>;
}

/** chipsOf are the active filters. */
export function chipsOf(filter: Filter, agentName: (id: string) => string): Chip[] {
  const chips: Chip[] = [];
  const add = (key: string, label: string | undefined, without: Partial<Filter>) => {
    if (label) chips.push({ key, label, without });
  };
  add("q", filter.q && `search: ${filter.q}`, { q: undefined });
  add("origin", filter.origin, { origin: undefined });
  add("agent", filter.agent && (filter.agent === "-" ? "no agent" : `agent: ${agentName(filter.agent)}`), { agent: undefined });
  add("experiment", filter.experiment && `experiment: ${filter.experiment}`, { experiment: undefined });
  add("status", filter.status && plain(filter.status.toLowerCase()), { status: undefined });
  add("verdict", filter.verdict && plain(filter.verdict), { verdict: undefined });
  add("end", filter.end && `ended: ${plain(filter.end)}`, { end: undefined });
  add("sentiment", filter.sentiment && `feeling: ${filter.sentiment}`, { sentiment: undefined });
  add("upset", filter.upset && (filter.upset === "true" ? "upset" : "not upset"), { upset: undefined });
  add("left", filter.left && leftLabel(filter.left), { left: undefined });
  add("failing", filter.failing && (filter.failing === "any" ? "failing" : "failing in the same way"), { failing: undefined });
  add("dim", filter.dim && `${plain(filter.dim.replace(/^metadata\./, ""))}: ${filter.value ?? ""}`, { dim: undefined, value: undefined });
  add("last", filter.last && Spans[filter.last]?.label, { last: undefined });
  if (filter.from !== undefined || filter.until !== undefined) {
    const label = [filter.from && `from ${moment(filter.from)}`, filter.until && `until ${moment(filter.until)}`].filter(Boolean).join(" ");
    add("time", label, { from: undefined, until: undefined });
  }
  for (const pair of filter.meta ?? []) {
    const rest = filter.meta?.filter((other) => other !== pair) ?? [];
    add(`meta ${pair}`, partsOf(pair).join(": "), { meta: rest.length > 0 ? rest : undefined });
  }
  return chips;
}
