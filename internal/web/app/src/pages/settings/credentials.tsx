import { Button, NativeSelect, PasswordInput, Stack, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { Confirm } from "../../parts/confirm";
import { ProblemBox } from "../../parts/problem";
import { DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useUnsaved } from "../../parts/unsaved";
import { Waiting } from "../../parts/waiting";
import { Form, Section } from "./form";

/**
 * Page manages secrets that are sent elsewhere: to hosts of private recordings, and to voice platforms. It is shown when both lists are there: a list that turned
 * out to be empty, or long, would move the form below it from under the pointer.
 */
export function Page() {
  const [recordings, platforms] = [useRecordings(), usePlatforms()];
  if (!recordings.isFetched || !platforms.isFetched) return <Waiting height={440} />;
  return (
    <Stack>
      <Recordings />
      <Platforms />
    </Stack>
  );
}

const useRecordings = () => queries.useQuery("get", "/recording-credentials", { params: { query: { limit: 1000 } } });
const usePlatforms = () => queries.useQuery("get", "/platform-keys");

const again = () => queryClient.invalidateQueries({ queryKey: ["get", "/recording-credentials"] });

function Recordings() {
  const { data, error } = useRecordings();
  const [form, setForm] = useState({ host: "", how: "header", name: "Authorization", value: "" });
  const keeping = useMutation({
    mutationFn: () => request("POST", "/recording-credentials", { host: form.host.trim(), value: form.value.trim(), [form.how]: form.name.trim() }),
    onSuccess: () => {
      setForm({ ...form, host: "", value: "" });
      return again();
    },
  });
  const wrong = fieldsOf(keeping.error);
  useUnsaved(form.host !== "" || form.value !== "", "the secret");
  const set = (name: keyof typeof form) => (event: { currentTarget: { value: string } }) => setForm({ ...form, [name]: event.currentTarget.value });
  return (
    <Section title="Private recordings" about="The secret that is sent to a host when a recording is fetched from it. It is stored encrypted and never shown again.">
      <Form doing={keeping} verb="Save" done="Saved.">
        <TextInput label="Host" placeholder="recordings.example.com" required value={form.host} error={wrong["host"]} onChange={set("host")} />
        <NativeSelect label="Sent as" value={form.how} onChange={set("how")} data={[{ value: "header", label: "header" }, { value: "query", label: "query parameter" }]} />
        <TextInput label="Name" required value={form.name} error={wrong[form.how]} onChange={set("name")} w={150} />
        <PasswordInput label="Secret" required value={form.value} error={wrong["value"]} onChange={set("value")} autoComplete="off" w={200} />
      </Form>
      {error != null && <ProblemBox error={error} />}
      <DataTable
        label="Recording credentials"
        rows={data?.data}
        failed={error != null}
        rowKey={(credential) => credential.id}
        empty={<None>Recordings are fetched without a secret.</None>}
        columns={[
          { key: "host", header: "Host", cell: (credential) => credential.host },
          { key: "how", header: "Sent as", cell: (credential) => (credential.header ? `header ${credential.header}` : `query parameter ${credential.query}`) },
          { key: "at", header: "Saved", cell: (credential) => <Time at={credential.updated_at} /> },
          { key: "end", header: <VisuallyHidden>Actions</VisuallyHidden>, numeric: true, cell: (credential) => <Delete what={`the secret of ${credential.host}`} act={() => request("DELETE", `/recording-credentials/${credential.id}`).then(again)} /> },
        ]}
      />
    </Section>
  );
}

const Providers = [
  { value: "platform_a", label: "Platform A" },
  { value: "platform_b", label: "Platform B" },
];

const labelOf = (provider: string) => Providers.find(({ value }) => value === provider)?.label ?? provider;

function Platforms() {
  const { data, error } = usePlatforms();
  const [provider, setProvider] = useState("platform_a");
  const [key, setKey] = useState("");
  const renew = () => queryClient.invalidateQueries({ queryKey: ["get", "/platform-keys"] });
  const keeping = useMutation({
    mutationFn: () => request("PUT", `/platform-keys/${provider}`, { api_key: key.trim() } satisfies Schemas["PlatformKeyPut"]),
    onSuccess: () => {
      setKey("");
      return renew();
    },
  });
  useUnsaved(key !== "", "the API key");
  return (
    <Section title="Voice platforms" about="With a platform's API key you can sync its agents under Agents. The key is stored encrypted and never shown again.">
      <Form doing={keeping} verb="Save" done="Saved.">
        <NativeSelect label="Platform" value={provider} onChange={(event) => setProvider(event.currentTarget.value)} data={Providers} />
        <PasswordInput label="API key" required value={key} onChange={(event) => setKey(event.currentTarget.value)} autoComplete="off" w={260} />
      </Form>
      {error != null && <ProblemBox error={error} />}
      <DataTable
        label="Platform keys"
        rows={data?.data}
        failed={error != null}
        rowKey={(kept) => kept.provider}
        empty={<None>To sync agents from a platform, save its API key here.</None>}
        columns={[
          { key: "provider", header: "Platform", cell: (kept) => labelOf(kept.provider) },
          { key: "at", header: "Saved", cell: (kept) => <Time at={kept.updated_at} /> },
          { key: "end", header: <VisuallyHidden>Actions</VisuallyHidden>, numeric: true, cell: (kept) => <Delete what={`the key of ${labelOf(kept.provider)}`} act={() => request("DELETE", `/platform-keys/${kept.provider}`).then(renew)} /> },
        ]}
      />
    </Section>
  );
}

function None({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      None saved. {children}
    </Text>
  );
}

function Delete({ what, act }: { what: string; act: () => Promise<unknown> }) {
  return (
    <Confirm
      title={`Delete ${what}?`}
      verb="Delete"
      act={act}
      ask={(open) => (
        <Button size="compact-xs" variant="default" onClick={open} aria-label={`Delete ${what}`}>
          Delete
        </Button>
      )}
    >
      Whatever needs it will not work until you save it again.
    </Confirm>
  );
}
