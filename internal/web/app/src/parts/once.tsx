import { Alert, Code, Group } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Copy } from "./copy";

/** Once shows a secret that is never shown again. */
export function Once({ title, secret, children }: { title: string; secret: string; children?: ReactNode }) {
  return (
    <Alert title={title} icon={<IconKey size={18} />} role="status" variant="light" color="yellow" styles={{ title: { color: "var(--rt-void)" } }}>
      <Group gap="xs" wrap="nowrap">
        <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
          {secret}
        </Code>
        <Copy value={secret} />
      </Group>
      {children}
    </Alert>
  );
}
