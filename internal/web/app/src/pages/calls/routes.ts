import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";
import { type Filter, filterOf } from "./filter";

/** CallSearch is what the address of a call may say: the second (t) or the turn to show, and the open tab. */
export interface CallSearch {
  t?: number;
  turn?: number;
  tab?: string;
}

/** number reads an optional number that is not negative. */
function number(search: Record<string, unknown>, name: string): number | undefined {
  const value = text(search, name);
  const n = value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(n) && n >= 0 ? n : undefined;
}

export const callRoutes = [
  createRoute({
    getParentRoute: () => layout,
    path: "/calls",
    validateSearch: filterOf,
    component: lazyPage(() => import("./list"), "Calls"),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: "/calls/$id",
    validateSearch: (search: Record<string, unknown>): CallSearch => ({
      t: number(search, "t"), turn: number(search, "turn"), tab: text(search, "tab"),
    }),
    component: lazyPage(() => import("./call"), "CallPage"),
  }),
];

declare module "../../parts/go" {
  interface Pages {
    "/calls": Filter;
    "/calls/$id": CallSearch;
  }
}
