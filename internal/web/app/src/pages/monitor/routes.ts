import { createRoute } from "@tanstack/react-router";
import { queryClient } from "../../api/client";
import { agentsQuery } from "../../api/names";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";
import { nowOf } from "./now";
import { type Scope, scopeOf } from "./scope";

const parent = { getParentRoute: () => layout } as const;

export const monitorRoutes = [
  createRoute({
    ...parent,
    path: "/",
    validateSearch: scopeOf,
    loaderDeps: ({ search }: { search: Scope }) => search,
    // Its queries start before its code is loaded: it is the first page, for which people wait.
    loader: ({ deps }: { deps: Scope }) => {
      const { overview, trends } = nowOf(deps, Date.now());
      for (const asked of [overview, trends]) void queryClient.prefetchQuery(asked as never);
      void queryClient.prefetchQuery(agentsQuery);
    },
    component: lazyPage(() => import("./overview"), "Overview"),
  }),
  createRoute({
    ...parent,
    path: "/monitor/trends",
    validateSearch: (search: Record<string, unknown>): Scope & { metric?: string } => ({ ...scopeOf(search), metric: text(search, "metric") }),
    component: lazyPage(() => import("./trends"), "Trends"),
  }),
  createRoute({ ...parent, path: "/monitor/anomalies", validateSearch: scopeOf, component: lazyPage(() => import("./anomalies"), "Anomalies") }),
  createRoute({ ...parent, path: "/monitor/failures", validateSearch: scopeOf, component: lazyPage(() => import("./failures"), "Failures") }),
  createRoute({
    ...parent,
    path: "/monitor/drop-off",
    validateSearch: (search: Record<string, unknown>): Scope & { by?: string } => ({ ...scopeOf(search), by: text(search, "by") }),
    component: lazyPage(() => import("./dropoff"), "DropOff"),
  }),
  createRoute({ ...parent, path: "/monitor/upset", validateSearch: scopeOf, component: lazyPage(() => import("./upset"), "Upset") }),
  createRoute({
    ...parent,
    path: "/monitor/breakdown",
    validateSearch: (search: Record<string, unknown>): Scope & { by?: string; metric?: string } => ({ ...scopeOf(search), by: text(search, "by"), metric: text(search, "metric") }),
    component: lazyPage(() => import("./breakdown"), "Breakdown"),
  }),
];

declare module "../../parts/go" {
  interface Pages {
    "/": Scope;
    "/monitor/trends": Scope & { metric?: string };
    "/monitor/anomalies": Scope;
    "/monitor/failures": Scope;
    "/monitor/drop-off": Scope & { by?: string };
    "/monitor/upset": Scope;
    "/monitor/breakdown": Scope & { by?: string; metric?: string };
  }
}
