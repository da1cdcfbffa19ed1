import { queries } from "../../api/client";
import { type Scope, windowOf } from "./scope";

/** Shown are the figures that the overview tells. */
export const Shown = ["calls", "failed_rate", "error_rate", "drop_off_rate", "upset_rate", "latency_p50", "latency_p95", "cost"];

/** nowOf are the questions that the overview asks: how it is, how its figures went, and what the agents are called. */
export function nowOf(scope: Scope, now: number) {
  const { from: _, ...asked } = windowOf({ ...scope, last: "3d" }, now);
  return {
    overview: queries.queryOptions("get", "/monitoring/overview", { params: { query: asked } }),
    trends: queries.queryOptions("get", "/monitoring/trends", { params: { query: { ...asked, from: asked.until - 72 * 3_600_000, step: "hour" as const, metrics: Shown.join(",") } } }),
    agents: queries.queryOptions("get", "/agents", { params: { query: { limit: 200 } } }),
  };
}
