import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** ListSearch are the filters of the list of experiments. */
export interface ListSearch {
  agent?: string;
  dataset?: string;
  status?: string;
  verdict?: string;
}

export const experimentsRoute = createRoute({
  getParentRoute: () => layout,
  path: "/experiments",
  validateSearch: (search: Record<string, unknown>): ListSearch => ({
    agent: text(search, "agent"), dataset: text(search, "dataset"), status: text(search, "status"), verdict: text(search, "verdict"),
  }),
  component: lazyPage(() => import("./list"), "ExperimentList"),
});

/** NewSearch is what a new test run begins with. */
interface NewSearch {
  dataset?: string;
  agent?: string;
}

export const newExperimentRoute = createRoute({
  getParentRoute: () => layout,
  path: "/experiments/new",
  validateSearch: (search: Record<string, unknown>): NewSearch => ({ dataset: text(search, "dataset"), agent: text(search, "agent") }),
  component: lazyPage(() => import("./new"), "NewExperiment"),
});

/** CompareSearch names the two experiments. */
export interface CompareSearch {
  base?: string;
  with?: string;
  /** all shows scenarios that stayed the same, too. */
  all?: string;
  /** metrics is "all" to show those that did not clearly change, too. */
  metrics?: string;
}

export const compareRoute = createRoute({
  getParentRoute: () => layout,
  path: "/experiments/compare",
  validateSearch: (search: Record<string, unknown>): CompareSearch => ({ base: text(search, "base"), with: text(search, "with"), all: text(search, "all"), metrics: text(search, "metrics") }),
  component: lazyPage(() => import("./compare"), "CompareExperiments"),
});

/** ResultSearch is what the page of an experiment shows. */
export interface ResultSearch {
  /** tab is "calls", "measured" or "plan", or nothing for the scenarios. */
  tab?: string;
  /** verdict narrows calls and scenarios. */
  verdict?: string;
  /** open is a dialog: "compare". */
  open?: string;
  /** sort is the column that the calls are sorted by, with "-" before it for the highest first. */
  sort?: string;
}

export const experimentRoute = createRoute({
  getParentRoute: () => layout,
  path: "/experiments/$id",
  validateSearch: (search: Record<string, unknown>): ResultSearch => ({ tab: text(search, "tab"), verdict: text(search, "verdict"), open: text(search, "open"), sort: text(search, "sort") }),
  component: lazyPage(() => import("./result"), "ExperimentPage"),
});

export const experimentRoutes = [experimentsRoute, newExperimentRoute, compareRoute, experimentRoute];

declare module "../../parts/go" {
  interface Pages {
    "/experiments": ListSearch;
    "/experiments/new": NewSearch;
    "/experiments/compare": CompareSearch;
    "/experiments/$id": ResultSearch;
  }
}
