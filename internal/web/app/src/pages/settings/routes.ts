import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

const settings = createRoute({ getParentRoute: () => layout, path: "/settings", component: lazyPage(() => import("./frame"), "Frame") });

const page = (path: string, load: () => Promise<{ Page: () => React.ReactNode }>) =>
  createRoute({ getParentRoute: () => settings, path, component: lazyPage(load, "Page") });

export const settingsRoutes = [
  settings.addChildren([
    createRoute({
      getParentRoute: () => settings,
      path: "/",
      beforeLoad: () => {
        throw redirect({ to: "/settings/account" as string, replace: true });
      },
    }),
    page("/account", () => import("./account")),
    page("/keys", () => import("./keys")),
    page("/members", () => import("./members")),
    page("/credentials", () => import("./credentials")),
    page("/workspace", () => import("./workspace")),
    createRoute({
      getParentRoute: () => settings,
      path: "/audit",
      validateSearch: (search: Record<string, unknown>): { who?: string } => ({ who: text(search, "who") }),
      component: lazyPage(() => import("./audit"), "Page"),
    }),
  ]),
];

declare module "../../parts/go" {
  interface Pages {
    "/settings": object;
    "/settings/account": object;
    "/settings/keys": object;
    "/settings/members": object;
    "/settings/credentials": object;
    "/settings/workspace": object;
    "/settings/audit": { who?: string };
  }
}
