import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";

/** Needs stands where somebody has asked, by its address, for what takes another role than theirs: "Making a dataset". */
export function Needs({ role, what }: { role: "member" | "admin"; what: string }) {
  return (
    <Alert color="gray" variant="light" role="note" icon={<IconLock size={18} />} title={`${what} requires the ${role} role`}>
      An admin of this workspace can give it to you, under Settings → Members.
    </Alert>
  );
}
