import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** What the list of scorers shows. */
export interface ScorersSearch {
  q?: string;
  /** new asks for a new scorer. */
  new?: string;
}

export const scorersRoute = createRoute({
  getParentRoute: () => layout,
  path: "/scorers",
  validateSearch: (search: Record<string, unknown>): ScorersSearch => ({ q: text(search, "q"), new: text(search, "new") }),
  component: lazyPage(() => import("./list"), "ScorerList"),
});

/** What the page of a scorer shows. */
export interface ScorerSearch {
  /** at is a version's number or a label; the newest version when it is not given. */
  at?: string;
  /** edit writes the next version, beginning with what the shown one says. */
  edit?: string;
  /** call is the call that the scorer is tried on first. */
  call?: string;
}

export const scorerRoute = createRoute({
  getParentRoute: () => layout,
  path: "/scorers/$slug",
  validateSearch: (search: Record<string, unknown>): ScorerSearch => ({ at: text(search, "at"), edit: text(search, "edit"), call: text(search, "call") }),
  component: lazyPage(() => import("./page"), "ScorerPage"),
});

export const scorerRoutes = [scorersRoute, scorerRoute];

declare module "../../parts/go" {
  interface Pages {
    "/scorers": ScorersSearch;
    "/scorers/$slug": ScorerSearch;
  }
}
