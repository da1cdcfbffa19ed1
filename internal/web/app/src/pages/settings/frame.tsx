import { Tabs } from "@mantine/core";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { useMay } from "../../shell/session";

const Places = [
  { path: "/settings/account", label: "Account" },
  { path: "/settings/keys", label: "API keys", admin: "Managing API keys" },
  { path: "/settings/members", label: "Members" },
  { path: "/settings/credentials", label: "Credentials", admin: "Managing credentials" },
  { path: "/settings/workspace", label: "Workspace" },
  { path: "/settings/audit", label: "Audit log", admin: "Reading the audit log" },
] as const;

/** Frame has the tabs around the pages of settings. Those for admins are hidden from others, and say so when their address is opened. */
export function Frame() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();
  const admin = useMay("admin");
  const places = Places.filter((place) => !("admin" in place) || admin);
  // During a navigation the address is already the next one while the page before is still drawn.
  const drawn = useRouterState({ select: (state) => state.matches.at(-1)?.pathname ?? "" });
  const closed = Places.find((place) => !places.includes(place) && [path, drawn].some((at) => at.startsWith(place.path)));
  if (drawn.replace(/\/$/, "") === "/settings") return <Outlet />; // no page has this address: the outlet says so
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
        {closed && "admin" in closed && <Needs role="admin" what={closed.admin} />}
        {!closed && places.map((place) => (
          <Tabs.Panel key={place.path} value={place.path}>
            <Outlet />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
