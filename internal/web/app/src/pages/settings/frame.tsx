import { Tabs } from "@mantine/core";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Page } from "../../parts/page";
import { useMay } from "../../shell/session";

const Places = [
  { path: "/settings/account", label: "Account", least: "viewer" },
  { path: "/settings/keys", label: "API keys", least: "admin" },
  { path: "/settings/members", label: "Members", least: "viewer" },
  { path: "/settings/credentials", label: "Credentials", least: "admin" },
  { path: "/settings/workspace", label: "Workspace", least: "viewer" },
  { path: "/settings/audit", label: "Audit log", least: "admin" },
] as const;

/** Frame is what the pages of settings have around them. */
export function Frame() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  const admin = useMay("admin");
  const places = Places.filter((place) => place.least === "viewer" || admin);
  return (
    <Page title="Settings" name={`${Places.find((place) => path.startsWith(place.path))?.label ?? ""} · Settings`}>
      <Tabs value={path} onChange={(to) => to && void navigate({ to })} keepMounted={false}>
        <Tabs.List aria-label="Settings" mb="md">
          {places.map((place) => (
            <Tabs.Tab key={place.path} value={place.path}>
              {place.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {places.map((place) => (
          <Tabs.Panel key={place.path} value={place.path}>
            <Outlet />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
