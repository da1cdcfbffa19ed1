import { ActionIcon, Alert, Badge, Button, Group, Loader, Text, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconTrash } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";
import { Confirm } from "../../parts/confirm";
import { count } from "../../parts/format";
import type { Fault } from "./draft";
import classes from "./editor.module.css";
import { deleteItem } from "./items";

interface NeighboursProps {
  itemID: string;
  order: Schemas["Item"][];
  go: (item: string | undefined) => void;
  total: number;
}

/** Neighbours leads back to all scenarios, and to the previous and the next one. */
export function Neighbours({ itemID, order, go, total }: NeighboursProps) {
  const at = order.findIndex((item) => item.id === itemID);
  const [before, after] = [at > 0 ? order[at - 1] : undefined, at >= 0 ? order[at + 1] : undefined];
  return (
    <Group gap={4} wrap="nowrap">
      <Button variant="default" size="xs" leftSection={<IconArrowLeft size={15} />} onClick={() => go(undefined)}>
        All scenarios
      </Button>
      <ActionIcon color="gray" aria-label="Previous scenario" disabled={!before} onClick={() => go(before?.id)}>
        <IconChevronLeft size={17} />
      </ActionIcon>
      <ActionIcon color="gray" aria-label="Next scenario" disabled={!after} onClick={() => go(after?.id)}>
        <IconChevronRight size={17} />
      </ActionIcon>
      <Text size="sm" c="dimmed">
        {itemID === "new" ? "New scenario" : at >= 0 ? `${count(at + 1)} of ${count(total)}` : ""}
      </Text>
    </Group>
  );
}

interface SaveStateProps {
  dirty: boolean;
  checking: boolean;
  faults: number;
  saved: boolean;
  readOnly: boolean;
  version?: number;
}

/** SaveState says how many problems the scenario has, or else whether it is saved. */
export function SaveState({ dirty, checking, faults, saved, readOnly, version }: SaveStateProps) {
  const [text, color] = readOnly
    ? [version ? `As it was in version ${version}` : "Read only", "gray"]
    : faults > 0 ? [faults === 1 ? "1 problem" : `${faults} problems`, "red"] : dirty ? ["Not saved yet", "gray"] : saved ? ["Saved", "ring"] : ["", "gray"];
  return (
    <Group gap={6} role="status" aria-live="polite">
      {checking && !readOnly && dirty && <Loader size={12} aria-label="Checking" />}
      {text && (
        <Badge variant="light" color={color} tt="none" styles={{ label: { color: faults > 0 ? "var(--rt-failed)" : "var(--mantine-color-text)" } }}>
          {text}
        </Badge>
      )}
    </Group>
  );
}

/** Delete is the button that deletes the scenario, after asking. */
export function Delete({ dataset, itemID, after }: { dataset: Schemas["Dataset"]; itemID: string; after: () => void }) {
  return (
    <Confirm
      title="Delete the scenario" verb="Delete the scenario" act={async () => {
        await deleteItem(dataset.id, itemID);
        setTimeout(after, 0);
      }}
      ask={(open) => (
        <Tooltip label="Delete">
          <ActionIcon color="gray" aria-label="Delete the scenario" onClick={open}>
            <IconTrash size={17} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      It is left out of the next version of {dataset.name}. Older versions keep it, and so do the calls that played it.
    </Confirm>
  );
}

/** Faults lists the problems of a scenario. */
export function Faults({ faults }: { faults: Fault[] }) {
  return (
    <Alert color="red" variant="light" p="xs" role="alert">
      <ul className={classes.faults}>
        {faults.map((fault, n) => (
          <li key={n} className="rt-words">
            {fault.place && <span className="rt-mono">{fault.place} </span>}
            {fault.message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
