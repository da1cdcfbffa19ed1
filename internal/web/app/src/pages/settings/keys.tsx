import { Button, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { Confirm } from "../../parts/confirm";
import { Empty } from "../../parts/empty";
import { Once } from "../../parts/once";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useUnsaved } from "../../parts/unsaved";
import { Mark } from "../../parts/verdict";
import { Form, Section } from "./form";

const again = () => queryClient.invalidateQueries({ queryKey: ["get", "/api-keys"] });

/** Page manages the API keys of the workspace. A key is shown once, when it is made; later it is recognised by how it begins. */
export function Page() {
  const { data, error } = queries.useQuery("get", "/api-keys");
  const [name, setName] = useState("");
  const making = useMutation({
    mutationFn: () => request<Schemas["APIKeyCreated"]>("POST", "/api-keys", { name }),
    onSuccess: () => {
      setName("");
      return again();
    },
  });
  const wrong = fieldsOf(making.error);
  useUnsaved(name !== "", "the name of the key");
  return (
    <Stack>
      <Section title="New API key" about="For your agent, your CI and whatever posts call logs. A key may do what an admin may, except manage people.">
        <Form doing={making} verb="Create the key">
          <TextInput label="What it is for" placeholder="CI, call logs of production…" required maxLength={100} value={name} error={wrong["name"]} onChange={(event) => setName(event.currentTarget.value)} w={300} />
        </Form>
        {making.data && (
          <Once title={`“${making.data.name}” has been created. Copy the key now: it cannot be shown again.`} secret={making.data.secret}>
            Send it as <span className="rt-mono">Authorization: Bearer …</span>
          </Once>
        )}
      </Section>
      {error != null && <ProblemBox error={error} />}
      <DataTable
        label="API keys"
        rows={data?.data}
        failed={error != null}
        rowKey={(key) => key.id}
        empty={<Empty title="No keys yet">Create one above.</Empty>}
        columns={[
          { key: "name", header: "Name", min: 130, cell: (key) => <span className="rt-words">{key.name}</span> },
          { key: "prefix", header: "Begins with", cell: (key) => <span className="rt-mono">rt_{key.prefix}…</span> },
          { key: "made", header: "Created", cell: (key) => <Time at={key.created_at} /> },
          { key: "by", header: "Created by", min: 110, cell: (key) => <span className="rt-words">{key.created_by ?? "command line"}</span> },
          { key: "used", header: "Last used", cell: (key) => (key.last_used_at == null ? "never" : <Time at={key.last_used_at} />) },
          { key: "end", header: <VisuallyHidden>Actions</VisuallyHidden>, numeric: true, cell: (key) => (key.revoked_at != null ? <Mark tone="open" label="revoked" /> : <Revoke apiKey={key} />) },
        ]}
      />
    </Stack>
  );
}

function Revoke({ apiKey }: { apiKey: Schemas["APIKey"] }) {
  return (
    <Confirm
      title={`Revoke “${apiKey.name}”?`}
      verb="Revoke the key"
      act={() => request("DELETE", `/api-keys/${apiKey.id}`).then(again)}
      ask={(open) => (
        <Button size="compact-xs" variant="default" onClick={open} aria-label={`Revoke ${apiKey.name}`}>
          Revoke
        </Button>
      )}
    >
      Whatever uses it is refused within seconds. This cannot be undone.
    </Confirm>
  );
}
