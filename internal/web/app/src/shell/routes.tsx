import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { queryClient } from "../api/client";
import { problemOf } from "../api/problem";
import { lazyPage } from "./lazypage";
import { sessionQuery } from "./session";
import { Nowhere } from "./states";

/** text reads an optional search parameter as text; lists and objects are ignored. */
export function text(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

const Latest = Date.UTC(10_000, 0, 1); // the service takes no later time, and a Date cannot hold one that is much later

/** instant reads an optional time in milliseconds since 1970; anything else is ignored. */
export function instant(search: Record<string, unknown>, name: string): number | undefined {
  const value = search[name];
  const ms = Number(value);
  return value !== undefined && value !== "" && ms > 0 && ms < Latest ? Math.round(ms) : undefined;
}

export const root = createRootRoute({ component: Outlet, notFoundComponent: Nowhere });

/** layout is every page that needs somebody who has signed in. */
export const layout = createRoute({
  getParentRoute: () => root,
  id: "layout",
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      throw problemOf(error); // tells RouteProblem that the service failed, not the page
    });
    if (session.setup_needed) throw redirect({ to: "/setup" });
    if (!session.signed_in) throw redirect({ to: "/sign-in", search: { to: location.href } });
  },
  component: lazyPage(() => import("./layout"), "Layout"),
});

/** The pages of those who have not signed in yet. */
export const entranceRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>): { to?: string; link?: string; refused?: string } => ({
      to: text(search, "to"), link: text(search, "link"), refused: text(search, "refused"),
    }),
    component: lazyPage(() => import("./entrance"), "SignIn"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/setup",
    validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search, "token") }),
    component: lazyPage(() => import("./entrance"), "Setup"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/join",
    validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search, "token") }),
    component: lazyPage(() => import("./entrance"), "Join"),
  }),
];
