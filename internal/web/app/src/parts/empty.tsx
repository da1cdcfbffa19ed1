import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** Empty says why there is nothing, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="rt-panel">
      <Title order={2} ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center" maw={520}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
