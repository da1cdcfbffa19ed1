import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  title: ReactNode;
  /** name is the title of the browser's tab; title by default, where that is a text. */
  name?: string;
  /** up leads to the list that this page belongs to. */
  up?: { to: LinkProps["to"]; label: string };
  actions?: ReactNode;
  about?: ReactNode;
  children: ReactNode;
}

/** Page is the frame of every page: the title, above it the way up, beside it the actions. */
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
