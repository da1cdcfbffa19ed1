import { Button, Group, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { refresh } from "../../api/refresh";
import { Dialog } from "../../parts/dialog";
import { DialogForm } from "../../parts/dialogform";
import { count } from "../../parts/format";
import { ProblemBox } from "../../parts/problem";
import { useUnsaved } from "../../parts/unsaved";
import { type Chosen, ItemFile } from "./file";
import { importInto } from "./files";

interface DialogProps {
  dataset: Schemas["Dataset"];
  close: () => void;
}

/** ImportItems adds the items of a file to a dataset, or replaces those that it has. */
export function ImportItems({ dataset, close }: DialogProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [mode, setMode] = useState<"append" | "replace">("append");
  const importing = useMutation({
    mutationFn: async () => {
      if (chosen) await importInto(dataset.id, chosen.file, chosen.format, mode);
      await refresh("/datasets");
    },
    onSuccess: () => setTimeout(close, 0), // closing is a navigation: it must find nothing unsaved
  });
  useUnsaved(chosen !== null && !importing.isSuccess, "the scenarios");
  return (
    <Dialog onClose={close} title={`Import scenarios into ${dataset.name}`} size="lg">
      <Stack>
        <ItemFile take={setChosen} />
        {dataset.item_count > 0 && <Radio.Group label={dataset.item_count === 1 ? "The scenario in the dataset" : `The ${count(dataset.item_count)} scenarios in the dataset`} value={mode} onChange={(next) => setMode(next === "replace" ? "replace" : "append")}>
          <Stack gap={6} mt={6}>
            <Radio value="append" label={dataset.item_count === 1 ? "Keep it, and add the new ones after it" : "Keep them, and add the new ones after them"} />
            <Radio value="replace" label="Replace all; a scenario keeps its id if its key or id is in the file" />
          </Stack>
        </Radio.Group>}
        {importing.error && <ProblemBox error={importing.error} />}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            This makes version {dataset.version + 1}. Older versions are kept.
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button disabled={!chosen} loading={importing.isPending} onClick={() => importing.mutate()}>
              Import
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** RenameDataset changes the name and description of a dataset. It sends only what was written here: somebody else may have changed the other meanwhile. */
export function RenameDataset({ dataset, close }: DialogProps) {
  const [written, setWritten] = useState<{ name?: string; description?: string }>({});
  const { name, description } = { ...dataset, ...written };
  const saving = useMutation({
    mutationFn: async () => {
      await request("PATCH", `/datasets/${encodeURIComponent(dataset.id)}`, { ...written, ...(written.name && { name: name.trim() }) });
      await refresh("/datasets");
    },
    onSuccess: () => setTimeout(close, 0), // as above
  });
  useUnsaved((name !== dataset.name || description !== dataset.description) && !saving.isSuccess, "the dataset");
  const fields = fieldsOf(saving.error);
  return (
    <DialogForm title="Name and description" close={close} doing={saving} fields={fields} verb="Save" disabled={name.trim() === ""}>
      <TextInput label="Name" required value={name} error={fields["name"]} data-autofocus onChange={(event) => setWritten({ ...written, name: event.currentTarget.value })} />
      <Textarea label="Description" autosize minRows={2} maxRows={8} value={description} error={fields["description"]} onChange={(event) => setWritten({ ...written, description: event.currentTarget.value })} />
    </DialogForm>
  );
}
