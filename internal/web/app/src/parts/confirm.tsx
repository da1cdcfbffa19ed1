import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useMutation } from "../api/mutation";
import { Dialog } from "./dialog";
import { ProblemBox } from "./problem";

interface ConfirmProps {
  /** ask is the button that opens the question. */
  ask: (open: () => void) => ReactNode;
  title: string;
  children: ReactNode;
  /** verb is the label of the button that does it: "Delete the agent". */
  verb: string;
  danger?: boolean;
  /** begin shows the question at once, where ask is no button; closed is called when it is gone again. */
  begin?: boolean;
  closed?: () => void;
  act: () => Promise<unknown>;
}

/** Confirm asks before act is run, and says so when that failed, again if it was closed meanwhile. */
export function Confirm({ ask, title, children, verb, danger = true, begin = false, closed, act }: ConfirmProps) {
  const [open, setOpen] = useState(begin);
  const close = () => {
    setOpen(false);
    closed?.();
  };
  const leave = () => {
    if (doing.isPending) setOpen(false); // whoever is told that it is gone would take it away, with what is still to be said
    else close();
  };
  const doing = useMutation({ mutationFn: act, onSuccess: close, onError: () => setOpen(true) });
  return (
    <>
      {ask(() => {
        doing.reset();
        setOpen(true);
      })}
      {open && (
        <Dialog onClose={leave} title={title} centered>
          <Stack>
            <div>{children}</div>
            {doing.isError && <ProblemBox error={doing.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={leave} data-autofocus>
                Cancel
              </Button>
              <Button color={danger ? "red.8" : undefined} loading={doing.isPending} onClick={() => doing.mutate()}>
                {verb}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </>
  );
}
