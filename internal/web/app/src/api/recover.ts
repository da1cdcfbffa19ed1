import type { Query } from "@tanstack/react-query";
import { queryClient } from "./client";
import { isTransient } from "./problem";

/** Pace is how often failed queries are tried again, in ms. */
export const Pace = 10_000;

/** failed selects the queries of the page that ended with a transient error, or with this very one. */
const failed = (error?: unknown) => ({ type: "active" as const, predicate: ({ state }: Query) => isTransient(state.error) && (error === undefined || state.error === error) });

/** recovering tries failed queries again from time to time, until the returned function is called. */
export function recovering(): () => void {
  const probing = new Set<string>(); // those without an answer yet: a slow service is not asked twice
  const timer = setInterval(() => {
    for (const query of queryClient.getQueryCache().findAll({ ...failed(), fetchStatus: "idle" })) {
      if (probing.has(query.queryHash)) continue;
      probing.add(query.queryHash);
      void probe(query).finally(() => probing.delete(query.queryHash));
    }
  }, Pace);
  return () => clearInterval(timer);
}

/**
 * probe runs a query once without telling the page, and has the page refetch only when that worked: a refetch clears the error while it runs, so that whoever
 * reads it would see it come and go.
 */
async function probe(query: Query): Promise<void> {
  const { queryFn, initialPageParam } = query.options as { queryFn?: unknown; initialPageParam?: unknown };
  if (typeof queryFn !== "function") return;
  const { queryKey, meta } = query;
  try {
    await queryFn({ client: queryClient, queryKey, meta, signal: new AbortController().signal, pageParam: initialPageParam, direction: "forward" });
  } catch (error) {
    if (isTransient(error)) return;
  }
  await queryClient.refetchQueries({ queryKey, exact: true, type: "active" }, { cancelRefetch: false });
}

/** retryOf refetches at once what ended with this error; undefined when no query of the page did, or a retry would not help. */
export function retryOf(error: unknown): (() => void) | undefined {
  if (!isTransient(error) || queryClient.getQueryCache().findAll(failed(error)).length === 0) return undefined;
  return () => void queryClient.refetchQueries(failed(error));
}
