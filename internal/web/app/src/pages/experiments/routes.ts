import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { layout, text } from "../../shell/routes";

/** ListSearch are the filters of the list of experiments. */
export interface ListSearch {
  agent?: string;
  dataset?: string;
  status?: string;
  verdict?: string;
}

export const experimentRoutes = [
  createRoute({
    getParentRoute: () => layout,
    path: "/experiments",
    validateSearch: (search: Record<string, unknown>): ListSearch => ({
      agent: text(search, "agent"), dataset: text(search, "dataset"), status: text(search, "status"), verdict: text(search, "verdict"),
    }),
    component: lazyRouteComponent(() => import("./list"), "ExperimentList"),
  }),
];
