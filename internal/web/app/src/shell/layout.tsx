import { ActionIcon, Alert, AppShell, Burger, Group, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconChevronDown, IconMoon, IconSun } from "@tabler/icons-react";
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { recovering } from "../api/recover";
import { Keys } from "./keys";
import { Navigation } from "./navigation";
import { printing } from "./printing";
import { returning } from "./returning";
import { leave, unsaved, useMoved, useSession } from "./session";

// Loaded when the first menu is opened: most visits open none.
const WorkspaceMenu = lazy(() => import("./menus").then((m) => ({ default: m.WorkspaceMenu })));
const PersonMenu = lazy(() => import("./menus").then((m) => ({ default: m.PersonMenu })));

/** Warning stands above a page with unsaved changes, which stay on it. */
function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert role="alert" color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title={title} m="md" mb={0} styles={{ title: { color: "var(--rt-void)" } }}>
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

/** Layout is the frame around every page of somebody who has signed in. */
export function Layout() {
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [path, close]);
  const session = useSession();
  const gone = session !== undefined && !session.signed_in;
  const written = useMemo(() => gone && unsaved(), [gone]);
  useEffect(() => {
    if (gone && !written) leave();
  }, [gone, written]);
  const drawn = useRouterState({ select: (state) => state.resolvedLocation?.href ?? "" });
  const moved = useMoved(drawn);
  const router = useRouter();
  useEffect(recovering, []);
  useEffect(() => returning(router), [router]);
  useEffect(printing, []);
  if (gone && !written) return null;
  return (
    <AppShell header={{ height: 46 }} navbar={{ width: 196, breakpoint: "sm", collapsed: { mobile: !opened } }} styles={{ root: { "--app-shell-border-color": "var(--rt-line)" }, main: { background: "var(--rt-sunken)" } }}>
      <a className="rt-skip" href="#main">
        Skip to main content
      </a>
      {/* Above the navigation, which has 101: a menu of the header hangs down over it. */}
      <AppShell.Header px="sm" zIndex={102}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Group component={Link} {...{ to: "/" }} gap={8} wrap="nowrap" style={{ color: "inherit" }} aria-label="Ringtrue, overview">
              <img src="/ringtrue.svg" width={22} height={22} alt="" />
              <Text fw={650} visibleFrom="xs">
                Ringtrue
              </Text>
            </Group>
            <Workspace />
          </Group>
          <Group gap={4} wrap="nowrap">
            <Keys />
            <Scheme />
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Pages">
        <Navigation path={path} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: "none" }}>
        {written && (
          <Warning title="Your session has ended">
            What you have written is still here. <a href="/sign-in" target="_blank" rel="noreferrer" style={{ textDecoration: "underline" }}>Sign in in a new tab</a>, then come back and save it.
          </Warning>
        )}
        {moved && (
          <Warning title={`You are now in the workspace “${session?.workspace?.name ?? ""}”`}>
            You switched to it in another tab, or somebody else has signed in. What you have written is still here, but it belongs to the workspace or person from before.
          </Warning>
        )}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function Workspace() {
  const session = useSession();
  if (!session?.workspace) return null;
  const name = (
    <Text size="sm" c="dimmed" truncate maw={180}>
      {session.workspace.name}
    </Text>
  );
  if (session.workspaces.length < 2) return name;
  return (
    <LazyMenu label={`Workspace ${session.workspace.name}`} menu={(target) => <WorkspaceMenu target={target} />}>
      {name}
    </LazyMenu>
  );
}

function Person() {
  const session = useSession();
  const who = session?.person?.name || session?.person?.email;
  if (!who) return null;
  return (
    <LazyMenu label={`Signed in as ${who}`} menu={(target) => <PersonMenu target={target} />}>
      <Text size="sm" maw={140} truncate visibleFrom="xs">
        {who}
      </Text>
    </LazyMenu>
  );
}

/** LazyMenu is a button that loads its menu when it is first pressed. */
function LazyMenu({ label, menu, children }: { label: string; menu: (target: ReactNode) => ReactNode; children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const button = (act?: () => void) => (
    <UnstyledButton px={6} aria-label={label} aria-haspopup="menu" onClick={act}>
      <Group gap={4} wrap="nowrap">
        {children}
        <IconChevronDown size={14} />
      </Group>
    </UnstyledButton>
  );
  if (!wanted) return button(() => setWanted(true));
  return <Suspense fallback={button()}>{menu(button())}</Suspense>;
}

/** Scheme switches between the light and the dark scheme. */
function Scheme() {
  const scheme = useComputedColorScheme("light");
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon color="gray" title={`Switch to ${other} mode`} aria-label={`Switch to ${other} mode`} onClick={() => setColorScheme(other)}>
      {scheme === "dark" ? <IconSun size={17} /> : <IconMoon size={17} />}
    </ActionIcon>
  );
}
