import { NativeSelect, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { queries, queryClient, request, type Schemas } from "../../api/client";
import { useMutation } from "../../api/mutation";
import { fieldsOf } from "../../api/problem";
import { ProblemBox } from "../../parts/problem";
import { useUnsaved } from "../../parts/unsaved";
import { switchTo, useMay, useSession } from "../../shell/session";
import { Form, Section, useRenaming } from "./form";
import { Prices } from "./prices";
import { Waiting } from "../../parts/waiting";

/** Page has the settings of the workspace: name, dimensions, prices; and makes another workspace. */
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
  const { name, write, doing } = useRenaming(workspace.name, `/workspaces/${workspace.id}`);
  useUnsaved(name !== workspace.name, "the name");
  return (
    <Section title="Workspace">
      <Form doing={doing} verb="Rename" done="Renamed." readOnly={!admin} disabled={name === workspace.name}>
        <TextInput label="Name" required maxLength={100} readOnly={!admin} value={name} onChange={(event) => write(event.currentTarget.value)} />
      </Form>
    </Section>
  );
}

function Dimensions() {
  const { data, error } = queries.useQuery("get", "/monitoring/dimensions");
  return (
    <Section title="Dimensions" about="Up to 8 metadata keys by which monitoring can break down and narrow calls, besides agent, agent version, prompt and model. What is usual is learnt for each hour of the week, in the time zone of your callers.">
      {error != null && <ProblemBox error={error} />}
      {!data && error == null && <Waiting height={36} />}
      {data && <Declared now={data} />}
    </Section>
  );
}

/** Zones are the names of the time zones that the browser knows. */
const Zones = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC");

/** zonesWith lists them after UTC, together with the present one, which the browser may know under another name. */
const zonesWith = (zone: string) => [{ value: "", label: "UTC" }, ...(zone === "" || Zones.includes(zone) ? Zones : [zone, ...Zones])];

/** keysOf merges: the latest keys, with those added to and without those removed from the ones that somebody began with. */
function keysOf(latest: string[], began: string[], chosen: string[]): string[] {
  return [...latest.filter((key) => chosen.includes(key) || !began.includes(key)), ...chosen.filter((key) => !began.includes(key) && !latest.includes(key))];
}

function Declared({ now }: { now: Schemas["MonitorDimensions"] }) {
  const admin = useMay("admin");
  const before = now.metadata_keys;
  // What was chosen here stays when somebody else changes the dimensions meanwhile.
  const [chosen, choose] = useState<{ keys?: string[]; of?: string[]; zone?: string }>({});
  const { keys = before, zone = now.time_zone } = chosen;
  const unsaved = keys.join() !== before.join() || zone !== now.time_zone;
  useUnsaved(unsaved, "the dimensions");
  const doing = useMutation({
    mutationFn: async () => {
      const latest = await request<Schemas["MonitorDimensions"]>("GET", "/monitoring/dimensions");
      await request("PUT", "/monitoring/dimensions", { metadata_keys: keysOf(latest.metadata_keys, chosen.of ?? before, keys), time_zone: chosen.zone ?? latest.time_zone });
      return chosen;
    },
    onSuccess: async (sent) => {
      await queryClient.invalidateQueries({ queryKey: ["get", "/monitoring/dimensions"] });
      choose((old) => (old === sent ? {} : old));
    },
  });
  const wrong = fieldsOf(doing.error);
  const { time_zone: wrongZone, ...wrongKeys } = wrong;
  return (
    <>
      <Form doing={doing} verb="Save" done={unsaved ? undefined : "Saved."} readOnly={!admin} disabled={!unsaved}>
        <TagsInput label="Metadata keys" placeholder={keys.length ? "" : "customer, campaign…"} maxTags={8} readOnly={!admin} value={keys} onChange={(next) => choose({ ...chosen, keys: next, of: chosen.of ?? before })} error={Object.values(wrongKeys)[0]} w={{ base: "100%", xs: 320 }} />
        <NativeSelect label="Time zone of callers" disabled={!admin} value={zone} onChange={(event) => choose({ ...chosen, zone: event.currentTarget.value })} data={zonesWith(now.time_zone)} error={wrongZone} />
      </Form>
      {now.adopting && (
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
    onSuccess: (made) => {
      setName(""); // nothing unsaved may hold up the move there
      return switchTo(made.id);
    },
  });
  useUnsaved(name !== "", "the new workspace");
  return (
    <Section title="Another workspace" about="It has its own agents, calls, keys and members. You become its owner and switch to it.">
      <Form doing={doing} verb="Create workspace">
        <TextInput label="Name" required maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      </Form>
    </Section>
  );
}
