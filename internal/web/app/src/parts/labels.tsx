import { ActionIcon, Autocomplete, Button, Group, Popover, Stack, TagsInput, Text } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useState } from "react";
import { useMutation } from "../api/mutation";
import { ProblemBox } from "./problem";
import { Mark } from "./verdict";

interface LabelsProps {
  labels: string[];
  /** known are the labels that other versions have: a label is on one version only. */
  known: string[];
  version: number;
  /** move puts a label on this version; without it the labels can only be read. */
  move?: (label: string) => Promise<unknown>;
}

/** Labels shows the labels of a version, and moves further ones to it from the versions that have them. */
export function Labels({ labels, known, version, move }: LabelsProps) {
  return (
    <Group gap={4}>
      {labels.map((label) => (
        <Mark key={label} tone="agent" label={label} />
      ))}
      {move && <Mover known={known.filter((label) => !labels.includes(label))} version={version} move={move} />}
    </Group>
  );
}

function Mover({ known, version, move }: { known: string[]; version: number; move: (label: string) => Promise<unknown> }) {
  const [open, setOpen] = useState(false);
  const [label, setLabel] = useState("");
  const moving = useMutation({
    mutationFn: () => move(label.trim()),
    onSuccess: () => {
      setOpen(false);
      setLabel("");
    },
  });
  return (
    <Popover opened={open} onChange={setOpen} trapFocus width={280} position="bottom-start" shadow="md">
      <Popover.Target>
        <ActionIcon size="sm" color="gray" aria-label={`Put a label on version ${version}`} onClick={() => setOpen((before) => !before)}>
          <IconTag size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            moving.mutate();
          }}
        >
          <Stack gap="xs">
            <Autocomplete label={`Label of version ${version}`} placeholder="production" data={known} value={label} onChange={setLabel} data-autofocus comboboxProps={{ withinPortal: false }} />
            <Text size="xs" c="dimmed">
              A label is on one version at a time. If another version has it, it moves here, and whatever refers to the label uses this version from now on.
            </Text>
            {moving.error && <ProblemBox error={moving.error} />}
            <Button type="submit" size="xs" loading={moving.isPending} disabled={label.trim() === ""}>
              Put label here
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** NewLabels asks for the labels of a version that is about to be made. fields are what its form was refused for. */
export function NewLabels({ value, onChange, fields }: { value: string[]; onChange: (labels: string[]) => void; fields: Record<string, string> }) {
  const place = Object.keys(fields).find((path) => /^labels\b/.test(path)); // of any of them
  return <TagsInput label="Labels" description="Names for this version, such as production" value={value} onChange={onChange} error={place && fields[place]} acceptValueOnBlur />;
}
