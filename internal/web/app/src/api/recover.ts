import type { Query } from "@tanstack/react-query";
import { queryClient } from "./client";
import { passing } from "./problem";

/** Pace is how often what failed is asked again, ms. */
export const Pace = 10_000;

/** failed finds the questions on the page that ended with an error that may pass, or with this one. */
const failed = (error?: unknown) => ({ type: "active" as const, predicate: ({ state }: Query) => passing(state.error) && (error === undefined || state.error === error) });

/** recovering asks again, from time to time, what the service could not answer. It ends with the function that it returns. */
export function recovering(): () => void {
  const timer = setInterval(() => void queryClient.refetchQueries(failed()), Pace);
  return () => clearInterval(timer);
}

/** againOf asks again at once what ended with this error; undefined when that is no question of the page, or would not help. */
export function againOf(error: unknown): (() => void) | undefined {
  if (!passing(error) || queryClient.getQueryCache().findAll(failed(error)).length === 0) return undefined;
  return () => void queryClient.refetchQueries(failed(error));
}
