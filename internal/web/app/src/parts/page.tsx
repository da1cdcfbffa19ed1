import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  title: ReactNode;
  /** name is the title as plain text, for the browser's tab, when title is none. */
  name?: string;
  /** up leads to the list that this page came from. */
  up?: { to: LinkProps["to"]; label: string };
  actions?: ReactNode;
  about?: ReactNode;
  children: ReactNode;
}

/** Page is what every page has at its top. */
export function Page({ title, name, up, actions, about, children }: PageProps) {
  const tab = name ?? (typeof title === "string" ? title : "");
  useEffect(() => {
    document.title = tab ? `${tab} · Ringtrue` : "Ringtrue";
  }, [tab]);
  return (
    <Stack gap="md" p={{ base: "sm", sm: "md" }} maw={1600} mx="auto">
      <Group justify="space-between" align="center" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 300px">
          {up && (
            <Anchor component={Link} to={up.to} size="xs">
              {up.label}
            </Anchor>
          )}
          <Title order={1} className="rt-words">
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed" maw={760} style={{ overflowWrap: "anywhere" }}>
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs" className="rt-actions">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
