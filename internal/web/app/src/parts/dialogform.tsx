import { Button, Group, type ModalProps, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "./dialog";
import { ProblemBox } from "./problem";

interface DialogFormProps extends Pick<ModalProps, "title" | "size" | "centered"> {
  close: () => void;
  doing: { mutate: () => void; isPending: boolean; error: unknown };
  /** fields are the messages that the fields themselves show. */
  fields: Record<string, string>;
  /** verb is the label of the button that sends it: "Create". */
  verb: string;
  disabled?: boolean;
  cancel?: string;
  children: ReactNode;
}

/** DialogForm is a dialog with a form, which says why it was refused. */
export function DialogForm({ close, doing, fields, verb, disabled = false, cancel = "Cancel", children, ...modal }: DialogFormProps) {
  return (
    <Dialog onClose={close} {...modal}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          doing.mutate();
        }}
      >
        <Stack>
          {children}
          <FormProblem error={doing.error} fields={fields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {cancel}
            </Button>
            <Button type="submit" loading={doing.isPending} disabled={disabled}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** FormProblem says why a form was refused, unless messages at its fields do. */
export function FormProblem({ error, fields }: { error: unknown; fields: Record<string, string> }) {
  return error != null && Object.keys(fields).length === 0 && <ProblemBox error={error} />;
}
