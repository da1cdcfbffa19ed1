import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** AgentsSearch is what the address of the list may say. */
export interface AgentsSearch {
  q?: string;
  /** open is a dialog: "new" or "sync". */
  open?: string;
}

export const agentsRoute = createRoute({
  getParentRoute: () => layout,
  path: "/agents",
  validateSearch: (search: Record<string, unknown>): AgentsSearch => ({ q: text(search, "q"), open: text(search, "open") }),
  component: lazyPage(() => import("./list"), "AgentList"),
});

/** AgentSearch is what the address of an agent may say. */
export interface AgentSearch {
  /** tab is "defaults", or nothing for what happened lately. */
  tab?: string;
}

export const agentRoute = createRoute({
  getParentRoute: () => layout,
  path: "/agents/$id",
  validateSearch: (search: Record<string, unknown>): AgentSearch => ({ tab: text(search, "tab") }),
  component: lazyPage(() => import("./page"), "AgentPage"),
});

export const agentRoutes = [agentsRoute, agentRoute];

declare module "../../parts/go" {
  interface Pages {
    "/agents": AgentsSearch;
    "/agents/$id": AgentSearch;
  }
}
