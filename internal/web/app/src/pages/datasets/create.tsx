import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { DialogForm } from "../../parts/dialogform";
import { useGo } from "../../parts/go";
import { useUnsaved } from "../../parts/unsaved";
import { type Chosen, ItemFile } from "./file";
import { importInto } from "./files";

/** NewDataset makes a dataset, with the items of a file if one is chosen. */
export function NewDataset({ close, fromCalls }: { close: () => void; fromCalls?: string }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [touched, setTouched] = useState(false);
  const go = useGo();
  const client = useQueryClient();
  // A dataset whose import failed is there already: the next try puts the file into it, under the name that it has in the form by then.
  const made = useRef<{ id: string; named: string } | null>(null);
  const making = useMutation({
    mutationFn: async () => {
      const about = { name: name.trim(), description };
      const named = JSON.stringify(about);
      const id = made.current?.id ?? (await request<Schemas["Dataset"]>("POST", "/datasets", about)).id;
      if (made.current && made.current.named !== named) await request("PATCH", `/datasets/${encodeURIComponent(id)}`, about);
      made.current = { id, named };
      if (chosen) await importInto(id, chosen.file, chosen.format, "replace");
      return id;
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: ["get", "/datasets"] });
      await go({ to: "/datasets/$id", params: { id }, search: fromCalls ? { open: "calls", from_calls: fromCalls } : {} }, true);
    },
  });
  useUnsaved((name !== "" || description !== "" || chosen !== null) && !making.isSuccess, "the dataset");
  const fields = fieldsOf(making.error);
  return (
    <DialogForm title="New dataset" size="lg" close={close} doing={making} fields={fields["name"] ? fields : {}} verb={chosen ? "Create and import" : touched ? "Create empty" : "Create"} disabled={name.trim() === ""}>
      <TextInput label="Name" required value={name} error={fields["name"]} maxLength={200} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
      <Textarea label="Description" autosize minRows={1} maxRows={5} value={description} error={fields["description"]} onChange={(event) => setDescription(event.currentTarget.value)} />
      <div onDropCapture={() => setTouched(true)} onClickCapture={() => setTouched(true)}>
        <ItemFile
          take={(next) => {
            setChosen(next);
            if (next && !name) setName(next.file.name.replace(/\.[^.]*$/, ""));
          }}
        />
      </div>
    </DialogForm>
  );
}
