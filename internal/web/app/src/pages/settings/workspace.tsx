import { Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { fieldsOf, problemOf } from "../../api/problem";
import { ProblemBox } from "../../parts/problem";
import { enter, switchTo, useMay, useSession } from "../../shell/session";
import { Form, Section } from "./form";
import { Prices } from "./prices";

/** Page is what holds for the whole workspace: its name, its dimensions, and how to make another one. */
export function Page() {
  const session = useSession();
  const admin = useMay("admin");
  if (!session?.workspace) return null;
  return (
    <Stack>
      <Name key={session.workspace.id} workspace={session.workspace} />
      <Dimensions />
      <Prices />
      {admin && <Another />}
    </Stack>
  );
}

function Name({ workspace }: { workspace: { id: string; name: string } }) {
  const admin = useMay("admin");
  const [name, setName] = useState(workspace.name);
  const doing = useMutation({ mutationFn: () => request("PATCH", `/workspaces/${workspace.id}`, { name }), onSuccess: enter });
  return (
    <Section title="Workspace">
      <Form doing={doing} verb="Rename" done="Renamed." readOnly={!admin} disabled={name === workspace.name}>
        <TextInput label="Name" required maxLength={100} readOnly={!admin} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </Form>
    </Section>
  );
}

function Dimensions() {
  const { data, error } = queries.useQuery("get", "/monitoring/dimensions");
  return (
    <Section title="Dimensions" about="Keys of the calls' metadata that monitoring can tell apart and narrow to, beside agent, agent version, prompt and model. At most 8.">
      {error != null && <ProblemBox error={error} />}
      {data && <Keys key={data.metadata_keys?.join(",")} now={data.metadata_keys ?? []} adopting={data.adopting} />}
    </Section>
  );
}

function Keys({ now, adopting }: { now: string[]; adopting: boolean }) {
  const admin = useMay("admin");
  const [keys, setKeys] = useState(now);
  const doing = useMutation({
    mutationFn: () => request("PUT", "/monitoring/dimensions", { metadata_keys: keys }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["get", "/monitoring/dimensions"] }),
  });
  const wrong = doing.isError ? Object.values(fieldsOf(problemOf(doing.error)))[0] : undefined;
  return (
    <>
      <Form doing={doing} verb="Save" readOnly={!admin} disabled={keys.join() === now.join()}>
        <TagsInput label="Metadata keys" placeholder={keys.length ? "" : "customer, campaign…"} maxTags={8} readOnly={!admin} value={keys} onChange={setKeys} error={wrong} miw={320} />
      </Form>
      {adopting && (
        <Text size="sm" c="dimmed">
          Earlier calls are being brought up to date.
        </Text>
      )}
    </>
  );
}

function Another() {
  const [name, setName] = useState("");
  const doing = useMutation({
    mutationFn: () => request<Schemas["SessionPlaceAnd"]>("POST", "/workspaces", { name }),
    onSuccess: (made) => switchTo(made.id),
  });
  return (
    <Section title="Another workspace" about="Its agents, calls, keys and members are its own. You become its owner, and are taken there.">
      <Form doing={doing} verb="Create it">
        <TextInput label="Name" required maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </Form>
    </Section>
  );
}
