import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { layout, text } from "../../shell/routes";
import { type Scope, scopeOf } from "./scope";

const parent = { getParentRoute: () => layout } as const;

export const monitorRoutes = [
  createRoute({ ...parent, path: "/", validateSearch: scopeOf, component: lazyRouteComponent(() => import("./overview"), "Overview") }),
  createRoute({
    ...parent,
    path: "/monitor/trends",
    validateSearch: (search: Record<string, unknown>): Scope & { metric?: string } => ({ ...scopeOf(search), metric: text(search, "metric") }),
    component: lazyRouteComponent(() => import("./trends"), "Trends"),
  }),
  createRoute({ ...parent, path: "/monitor/anomalies", validateSearch: scopeOf, component: lazyRouteComponent(() => import("./anomalies"), "Anomalies") }),
  createRoute({ ...parent, path: "/monitor/failures", validateSearch: scopeOf, component: lazyRouteComponent(() => import("./failures"), "Failures") }),
  createRoute({
    ...parent,
    path: "/monitor/drop-off",
    validateSearch: (search: Record<string, unknown>): Scope & { by?: string } => ({ ...scopeOf(search), by: text(search, "by") }),
    component: lazyRouteComponent(() => import("./dropoff"), "DropOff"),
  }),
  createRoute({ ...parent, path: "/monitor/upset", validateSearch: scopeOf, component: lazyRouteComponent(() => import("./upset"), "Upset") }),
  createRoute({
    ...parent,
    path: "/monitor/breakdown",
    validateSearch: (search: Record<string, unknown>): Scope & { by?: string; metric?: string } => ({ ...scopeOf(search), by: text(search, "by"), metric: text(search, "metric") }),
    component: lazyRouteComponent(() => import("./breakdown"), "Breakdown"),
  }),
];
