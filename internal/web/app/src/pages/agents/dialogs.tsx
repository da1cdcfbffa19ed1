import { Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { DialogForm } from "../../parts/dialogform";
import { Go, useGo } from "../../parts/go";
import { useUnsaved } from "../../parts/unsaved";
import { Mark } from "../../parts/verdict";

/** NewAgent asks for the least that an agent needs; the rest is on its page, which opens next. */
export function NewAgent({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [number, setNumber] = useState("");
  const [source, setSource] = useState("");
  const go = useGo();
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () =>
      request<Schemas["Agent"]>("POST", "/agents", {
        name: name.trim(), ...(source.trim() && { sourceId: source.trim() }), ...(number.trim() && { defaults: { to_number: number.trim() } }),
      }),
    onSuccess: async (agent) => {
      await client.invalidateQueries({ queryKey: ["get", "/agents"] });
      await go({ to: "/agents/$id", params: { id: agent.id }, search: { tab: "defaults" } }, true);
    },
  });
  useUnsaved((name !== "" || number !== "" || source !== "") && !making.isSuccess, "the agent");
  const fields = fieldsOf(making.error);
  return (
    <DialogForm title="New agent" close={close} doing={making} fields={fields} verb="Create" disabled={name.trim() === ""}>
      <TextInput label="Name" required value={name} error={fields["name"]} data-autofocus placeholder="Front desk" onChange={(event) => setName(event.currentTarget.value)} />
      <TextInput
        label="Number" description="Dialled unless a run names another number. Leave empty for an agent that joins rooms." placeholder="+15550100" value={number}
        error={fields["defaults.to_number"]} onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <TextInput
        label="Source id" description="Its id in your own system or platform. It links production calls to this agent." value={source} error={fields["sourceId"]}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

/** SyncAgents takes in the agents of a voice platform, with the key of an account there. */
export function SyncAgents({ close }: { close: () => void }) {
  const [provider, setProvider] = useState("platform_a");
  const [key, setKey] = useState("");
  const client = useQueryClient();
  const syncing = useMutation({
    mutationFn: () => request<Schemas["AgentSynced"]>("POST", "/agents/sync", { provider, ...(key.trim() && { api_key: key.trim() }) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["get", "/agents"] }),
  });
  useUnsaved(key !== "" && !syncing.isSuccess, "the platform key");
  const fields = fieldsOf(syncing.error);
  return (
    <DialogForm title="Sync agents from a platform" size="lg" close={close} doing={syncing} fields={fields} verb="Sync" cancel={syncing.data ? "Close" : "Cancel"}>
      <NativeSelect
        label="Platform" value={provider} data={[{ value: "platform_a", label: "Platform A" }, { value: "platform_b", label: "Platform B" }]} error={fields["provider"]}
        onChange={(event) => setProvider(event.currentTarget.value)}
      />
      <PasswordInput
        label="Platform key" value={key} error={fields["api_key"]} autoComplete="off" onChange={(event) => setKey(event.currentTarget.value)}
        description={<>Used this once and not saved. Leave empty to use the key saved under <Go to="/settings/credentials" inText>Settings</Go>.</>}
      />
      {syncing.data && <Synced result={syncing.data} />}
    </DialogForm>
  );
}

function Synced({ result }: { result: Schemas["AgentSynced"] }) {
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        {result.listed} listed: {result.created} new, {result.updated} renamed, {result.unchanged} unchanged{result.skipped > 0 && `, ${result.skipped} skipped because their id or name cannot be saved`}.
      </Text>
      {result.changes.map((agent) => (
        <Group key={agent.id} gap="xs">
          <Mark tone={agent.change === "created" ? "passed" : "running"} label={agent.change} />
          <Go to="/agents/$id" params={{ id: agent.id }} className="rt-words">
            {agent.name}
          </Go>
        </Group>
      ))}
    </Stack>
  );
}
