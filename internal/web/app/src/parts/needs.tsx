import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";

/** Needs is shown to somebody who has opened an address for which their role is too low. what is the action: "Making a dataset". */
export function Needs({ role, what }: { role: "member" | "admin"; what: string }) {
  return (
    <Alert color="gray" variant="light" role="note" icon={<IconLock size={18} />} title={`${what} requires the ${role} role`}>
      An admin of this workspace can give it to you, under Settings → Members.
    </Alert>
  );
}
