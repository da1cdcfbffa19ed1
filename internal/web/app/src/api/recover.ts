import type { Query } from "@tanstack/react-query";
import { queryClient } from "./client";
import { passing } from "./problem";

/** Pace is how often what failed is asked again, ms. */
export const Pace = 10_000;

/** failed finds the questions on the page that ended with an error that may pass, or with this one. */
const failed = (error?: unknown) => ({ type: "active" as const, predicate: ({ state }: Query) => passing(state.error) && (error === undefined || state.error === error) });

/** recovering asks again, from time to time, what the service could not answer. It ends with the function that it returns. */
export function recovering(): () => void {
  const under = new Set<string>(); // questions that wait for an answer: a slow service is not asked a second time
  const timer = setInterval(() => {
    for (const query of queryClient.getQueryCache().findAll({ ...failed(), fetchStatus: "idle" })) {
      if (under.has(query.queryHash)) continue;
      under.add(query.queryHash);
      void probe(query).finally(() => under.delete(query.queryHash));
    }
  }, Pace);
  return () => clearInterval(timer);
}

/**
 * probe asks a question once beside the page, and has the page ask it when there is an answer: a question that the page asks again forgets its error meanwhile,
 * and somebody who reads it would see it come and go.
 */
async function probe(query: Query): Promise<void> {
  const { queryFn, initialPageParam } = query.options as { queryFn?: unknown; initialPageParam?: unknown };
  if (typeof queryFn !== "function") return;
  const { queryKey, meta } = query;
  try {
    await queryFn({ client: queryClient, queryKey, meta, signal: new AbortController().signal, pageParam: initialPageParam, direction: "forward" });
  } catch (error) {
    if (passing(error)) return;
  }
  await queryClient.refetchQueries({ queryKey, exact: true, type: "active" }, { cancelRefetch: false });
}

/** againOf asks again at once what ended with this error; undefined when that is no question of the page, or would not help. */
export function againOf(error: unknown): (() => void) | undefined {
  if (!passing(error) || queryClient.getQueryCache().findAll(failed(error)).length === 0) return undefined;
  return () => void queryClient.refetchQueries(failed(error));
}
