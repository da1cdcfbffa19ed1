import { Menu } from "@mantine/core";
import { IconFlask, IconLogout, IconSettings } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useMutation } from "../api/mutation";
import { problemOf, textOf } from "../api/problem";
import { givesUp, signOut, switchTo, useSession } from "./session";

/** WorkspaceMenu switches to another workspace. It stays open until that has worked, to say so if not. */
export function WorkspaceMenu({ target }: { target: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(true);
  const moving = useMutation({
    mutationFn: (id: string) => switchTo(id),
    onSuccess: () => {
      setOpened(false); // it stays only to tell why the move was refused
      return navigate({ to: "/", ignoreBlocker: true });
    },
  });
  return (
    <Menu position="bottom-start" opened={opened} onChange={setOpened}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {session?.workspaces?.map((workspace) => (
          <Menu.Item key={workspace.id} disabled={workspace.id === session.workspace?.id} closeMenuOnClick={false} onClick={() => givesUp(`Switch to ${workspace.name}`) && moving.mutate(workspace.id)}>
            {workspace.name}
          </Menu.Item>
        ))}
        {moving.isError && <Refused error={moving.error}>You are still in the same workspace.</Refused>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** PersonMenu leads to settings and signs out. */
export function PersonMenu({ target }: { target: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const leaving = useMutation({ mutationFn: () => signOut(() => navigate({ to: "/sign-in", ignoreBlocker: true })) });
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session?.person?.email} · {session?.role}
        </Menu.Label>
        <Menu.Item component={Link} {...{ to: "/settings" }} leftSection={<IconSettings size={15} />}>
          Settings
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconFlask size={15} />}>
          Interface (API)
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} closeMenuOnClick={false} onClick={() => givesUp("Sign out") && leaving.mutate()}>
          Sign out
        </Menu.Item>
        {leaving.isError && <Refused error={leaving.error}>You are still signed in.</Refused>}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Refused says, inside a menu, that what was chosen did not work, and how things are instead. */
function Refused({ error, children }: { error: unknown; children: string }) {
  return (
    <Menu.Label role="alert" maw={260} style={{ color: "var(--rt-failed)" }}>
      {textOf(problemOf(error)).replace(/[.]?$/, ".")} {children}
    </Menu.Label>
  );
}
