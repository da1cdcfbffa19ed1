import { AppShell, NavLink, Text } from "@mantine/core";
import {
  IconAlertTriangle, IconChartLine, IconDatabase, IconFilter, IconGavel, IconHeadset, IconLayoutDashboard, IconList, IconMessage2, IconMoodAngry, IconPlayerPlay, IconSettings,
  IconTable, IconTrendingUp,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { zoneName } from "../parts/format";
import type { Path } from "../parts/go";

interface Place {
  to: Path;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** exact marks the place as current only on its own address, not on those below it. */
  exact?: boolean;
}

const Places: { title: string; places: Place[] }[] = [
  {
    title: "Monitor",
    places: [
      { to: "/", label: "Overview", icon: IconLayoutDashboard, exact: true },
      { to: "/monitor/trends", label: "Trends", icon: IconTrendingUp },
      { to: "/monitor/anomalies", label: "Anomalies", icon: IconChartLine },
      { to: "/monitor/failures", label: "Failing calls", icon: IconAlertTriangle },
      { to: "/monitor/drop-off", label: "Drop-off", icon: IconFilter },
      { to: "/monitor/upset", label: "Upset callers", icon: IconMoodAngry },
      { to: "/monitor/breakdown", label: "Breakdown", icon: IconTable },
    ],
  },
  { title: "Calls", places: [{ to: "/calls", label: "All calls", icon: IconList }] },
  {
    title: "Test",
    places: [
      { to: "/experiments", label: "Experiments", icon: IconPlayerPlay },
      { to: "/datasets", label: "Datasets", icon: IconDatabase },
      { to: "/agents", label: "Agents", icon: IconHeadset },
      { to: "/scorers", label: "Scorers", icon: IconGavel },
      { to: "/prompts", label: "Prompts", icon: IconMessage2 },
    ],
  },
];

/** Navigation leads to every page; path is the address of the present one. */
export function Navigation({ path }: { path: string }) {
  return (
    <>
      <AppShell.Section grow style={{ overflowY: "auto" }}>
        {Places.map(({ title, places }) => (
          <div key={title} role="group" aria-label={title}>
            <Text size="xs" c="dimmed" fw={600} px="md" pt="sm" pb={2} aria-hidden>
              {title}
            </Text>
            {places.map((place) => (
              <NavItem key={place.to} place={place} current={place.exact ? path === place.to : path === place.to || path.startsWith(`${place.to}/`)} />
            ))}
          </div>
        ))}
      </AppShell.Section>
      <AppShell.Section pb="xs">
        <NavItem place={{ to: "/settings", label: "Settings", icon: IconSettings }} current={path.startsWith("/settings")} />
        <Text size="xs" c="dimmed" px="md" pt={6} truncate title={zoneName()}>
          Times in {zoneName()}
        </Text>
      </AppShell.Section>
    </>
  );
}

function NavItem({ place, current }: { place: Place; current: boolean }) {
  const Icon = place.icon;
  return (
    <NavLink
      renderRoot={(props) => <Link to={place.to} {...props} />}
      label={place.label}
      leftSection={<Icon size={16} stroke={1.7} />}
      active={current}
      aria-current={current ? "page" : undefined}
      py={5}
      px={10}
      mx={6}
      w="auto"
      style={{ textDecoration: "none", borderRadius: "var(--mantine-radius-sm)" }}
    />
  );
}
