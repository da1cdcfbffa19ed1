import { Menu } from "@mantine/core";
import { IconFlask, IconLogout, IconSettings } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { signOut, switchTo, useSession } from "./session";

/** WorkspaceMenu goes to another workspace. */
export function WorkspaceMenu({ target }: { target: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const move = (id: string) => switchTo(id).then(() => navigate({ to: "/" }));
  return (
    <Menu position="bottom-start" defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {session?.workspaces?.map((workspace) => (
          <Menu.Item key={workspace.id} disabled={workspace.id === session.workspace?.id} onClick={() => void move(workspace.id)}>
            {workspace.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** PersonMenu is what concerns whoever has signed in. */
export function PersonMenu({ target }: { target: ReactNode }) {
  const session = useSession();
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
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
