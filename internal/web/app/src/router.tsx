import { createRouter, parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { agentRoutes } from "./pages/agents/routes";
import { callRoutes } from "./pages/calls/routes";
import { datasetRoutes } from "./pages/datasets/routes";
import { experimentRoutes } from "./pages/experiments/routes";
import { monitorRoutes } from "./pages/monitor/routes";
import { promptRoutes } from "./pages/prompts/routes";
import { scorerRoutes } from "./pages/scorers/routes";
import { settingsRoutes } from "./pages/settings/routes";
import { readExactly } from "./shell/address";
import { entranceRoutes, layout, root } from "./shell/routes";
import { NotFound, Pending, RouteProblem } from "./shell/states";

/** router knows every page. A page is declared, with its search parameters, in the routes.ts of its room, and loaded when it is first opened. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...entranceRoutes,
    layout.addChildren([
      ...monitorRoutes, ...callRoutes, ...experimentRoutes, ...datasetRoutes, ...agentRoutes, ...scorerRoutes, ...promptRoutes, ...settingsRoutes,
    ]),
  ]),
  parseSearch: parseSearchWith(readExactly),
  stringifySearch: stringifySearchWith(JSON.stringify, readExactly),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 300,
  defaultPendingComponent: Pending,
  defaultErrorComponent: RouteProblem,
  defaultNotFoundComponent: NotFound,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
