import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** ScorersSearch is what the address of the list may say. */
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

/** ScorerSearch is what the address of a scorer may say. */
export interface ScorerSearch {
  /** at is a version's number or a label; the newest version when it is not given. */
  at?: string;
  /** edit opens the editor for the next version, which starts from the one that is shown. */
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
