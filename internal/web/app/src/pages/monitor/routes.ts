import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { layout } from "../../shell/routes";

export const monitorRoutes = [
  createRoute({ getParentRoute: () => layout, path: "/", component: lazyRouteComponent(() => import("./overview"), "Overview") }),
];
