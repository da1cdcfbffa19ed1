import { useMemo } from "react";
import { useAgents } from "../../api/names";
import { useHour } from "../../parts/clock";
import type { Asked } from "../../parts/departures";
import { instant, text } from "../../shell/routes";

/** Scope is which calls a page of monitoring looks at. It lives in the URL; what is not there is the default. */
export interface Scope {
  /** origin is production (the default) or simulated. */
  origin?: "simulated";
  agent?: string;
  /** last is a stretch that ends now, a key of Spans; 7d when neither it nor from is given. */
  last?: Span;
  /** from and until are milliseconds since 1970: a stretch that stands still. */
  from?: number;
  until?: number;
  /** dim and value narrow to the calls with one value of a dimension. */
  dim?: string;
  value?: string;
}

const hour = 3_600_000;
export const Spans = { "1d": 24 * hour, "3d": 72 * hour, "7d": 168 * hour, "28d": 672 * hour, "90d": 2160 * hour } as const;
export type Span = keyof typeof Spans;

/** scopeOf reads a scope from search parameters, passing over what is none. */
export function scopeOf(search: Record<string, unknown>): Scope {
  const last = text(search, "last");
  const [from, until] = [instant(search, "from"), instant(search, "until")];
  const whole = from !== undefined && until !== undefined && from < until;
  const [dim, value] = [text(search, "dim"), text(search, "value")];
  return {
    origin: text(search, "origin") === "simulated" ? "simulated" : undefined,
    agent: text(search, "agent"),
    last: !whole && last && Object.hasOwn(Spans, last) ? (last as Span) : undefined,
    from: whole ? from : undefined,
    until: whole ? until : undefined,
    dim: dim && value ? dim : undefined,
    value: dim && value ? value : undefined,
  };
}

/** isNarrowed reports whether a page is asked for anything but what it shows by itself. */
export function isNarrowed(search: object): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

/** windowOf is what is asked of the service. A stretch that ends now ends with the hour, so that the question stays the same for an hour. */
export function windowOf(scope: Scope, now: number): Asked {
  const until = scope.until ?? Math.ceil(now / hour) * hour;
  return {
    origin: scope.origin,
    agent_id: scope.agent,
    dimension: scope.dim,
    value: scope.value,
    from: scope.from ?? until - Spans[scope.last ?? "7d"],
    until,
  };
}

/** useWindow is windowOf now: a stretch that ends now moves on with the hours, on a page that stays open too. */
export function useWindow(scope: Scope): Asked {
  const now = useHour();
  const { origin, agent, last, from, until, dim, value } = scope;
  return useMemo(() => windowOf({ origin, agent, last, from, until, dim, value }, now), [origin, agent, last, from, until, dim, value, now]);
}

/**
 * asBefore keeps on the page what it shows while the same is asked for an hour that has just begun: without it the page would be emptied every hour, and whoever
 * reads it be at its top. For any other question there is nothing before.
 */
export function asBefore(query: Partial<Asked>): <Data>(before: Data | undefined, asked?: { queryKey: readonly unknown[] }) => Data | undefined {
  return (before, asked) => {
    const [, , init] = (asked?.queryKey ?? []) as [unknown, unknown, { params?: { query?: Partial<Asked> } }?];
    return moved(init?.params?.query ?? {}) === moved(query) ? before : undefined;
  };
}

/** moved is what of a question stays as it is when its stretch of time moves on. */
function moved({ from, until, ...rest }: Partial<Asked>): string {
  return JSON.stringify({ ...rest, span: from === undefined || until === undefined ? undefined : until - from });
}

/** useStillWindow is windowOf when the scope was chosen: a list that is read page by page stays where it is. */
export function useStillWindow(scope: Scope): Asked {
  const { origin, agent, last, from, until, dim, value } = scope;
  return useMemo(() => windowOf({ origin, agent, last, from, until, dim, value }, Date.now()), [origin, agent, last, from, until, dim, value]);
}

/** useAgentNames gives the name of an agent by its id. */
export function useAgentNames(): (id: string | null | undefined) => string {
  const { data } = useAgents();
  return useMemo(() => {
    const names = new Map(data?.data?.map((agent) => [agent.id, agent.name]));
    return (id) => (id == null ? "all agents" : id === "-" ? "no agent" : (names.get(id) ?? id));
  }, [data]);
}
