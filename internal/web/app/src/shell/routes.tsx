import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { queryClient } from "../api/client";
import { problemOf } from "../api/problem";
import { part } from "./part";
import { sessionQuery } from "./session";
import { Nowhere } from "./states";

/** text reads an optional search parameter: what is no text is passed over. */
export function text(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

const Latest = Date.UTC(10_000, 0, 1); // the service knows no time behind the year 9999, and no date can be written far behind it

/** instant reads an optional moment in milliseconds since 1970: what is none is passed over. */
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
      throw problemOf(error); // by which RouteProblem knows the service's failures from those of a page
    });
    if (session.setup_needed) throw redirect({ to: "/setup" });
    if (!session.signed_in) throw redirect({ to: "/sign-in", search: { to: location.href } });
  },
  component: part(() => import("./layout"), "Layout"),
});

/** The pages of those who have not signed in yet. */
export const entranceRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>): { to?: string; link?: string; refused?: string } => ({
      to: text(search, "to"), link: text(search, "link"), refused: text(search, "refused"),
    }),
    component: part(() => import("./entrance"), "SignIn"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/setup",
    validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search, "token") }),
    component: part(() => import("./entrance"), "Setup"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/join",
    validateSearch: (search: Record<string, unknown>): { token?: string } => ({ token: text(search, "token") }),
    component: part(() => import("./entrance"), "Join"),
  }),
];
