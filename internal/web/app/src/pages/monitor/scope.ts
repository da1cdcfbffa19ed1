import { useMemo } from "react";
import { useAgents } from "../../api/names";
import { useHour } from "../../parts/clock";
import type { Asked } from "../../parts/departures";
import { instant, text } from "../../shell/routes";

/** Scope is which calls a page of monitoring looks at. It is kept in the address. */
export interface Scope {
  /** origin is production (the default) or simulated. */
  origin?: "simulated";
  agent?: string;
  /** last is a length of time up to now, a key of Spans; the usual one of the page when neither it nor from is given. */
  last?: Span;
  /** from and until, in milliseconds since 1970, are a fixed time instead. */
  from?: number;
  until?: number;
  /** dim and value narrow to the calls with one value of a dimension. */
  dim?: string;
  value?: string;
}

const hour = 3_600_000;
export const Spans = { "1d": 24 * hour, "3d": 72 * hour, "7d": 168 * hour, "28d": 672 * hour, "90d": 2160 * hour } as const;
export type Span = keyof typeof Spans;

/** scopeOf reads a scope from search parameters and ignores what is not valid. */
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

/** isNarrowed tells whether the address asks for anything but the default of the page. */
export function isNarrowed(search: object): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

/** windowOf are the parameters of a request. A time up to now goes to the end of the current hour, so that the request, and its place in the cache, is the same for an hour. */
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

/** useWindow is windowOf at present: on a page that stays open it moves on with the hours. */
export function useWindow(scope: Scope): Asked {
  const now = useHour();
  const { origin, agent, last, from, until, dim, value } = scope;
  return useMemo(() => windowOf({ origin, agent, last, from, until, dim, value }, now), [origin, agent, last, from, until, dim, value, now]);
}

/**
 * asBefore is the placeholder data of a query: the answer before, if that was to the same request for the hour before. Without it the page would be empty for a
 * moment every hour, and scroll to its top. Any other request starts without data.
 */
export function asBefore(query: Partial<Asked>): <Data>(before: Data | undefined, asked?: { queryKey: readonly unknown[] }) => Data | undefined {
  return (before, asked) => {
    const [, , init] = (asked?.queryKey ?? []) as [unknown, unknown, { params?: { query?: Partial<Asked> } }?];
    return moved(init?.params?.query ?? {}) === moved(query) ? before : undefined;
  };
}

/** moved is a request without when it is, but with how long: it stays the same when the hour changes. */
function moved({ from, until, ...rest }: Partial<Asked>): string {
  return JSON.stringify({ ...rest, span: from === undefined || until === undefined ? undefined : until - from });
}

/** useStillWindow is windowOf at the time when the scope was chosen: for a list that is read page by page, which must not start over with the hour. */
export function useStillWindow(scope: Scope): Asked {
  const { origin, agent, last, from, until, dim, value } = scope;
  return useMemo(() => windowOf({ origin, agent, last, from, until, dim, value }, Date.now()), [origin, agent, last, from, until, dim, value]);
}

/** useAgentNames gives the name of an agent by its id. */
export function useAgentNames(): (id: string | null | undefined) => string {
  const { data } = useAgents();
  return useMemo(() => {
    const names = new Map(data?.data.map((agent) => [agent.id, agent.name]));
    return (id) => (id == null ? "all agents" : id === "-" ? "no agent" : (names.get(id) ?? id));
  }, [data]);
}
