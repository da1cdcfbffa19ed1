import { Alert, Stack, Text } from "@mantine/core";
import { useTrunks } from "../../parts/trunks";
import { Estimate } from "./estimate";
import { type RunForm, runOf } from "./runform";

/** Expected is what a run by telephone would come to, or what it still lacks: a trunk, or fields of the form. spoilt says that one of those holds no number. */
export function Expected({ form, to, ready, spoilt }: { form: RunForm; to: string; ready: boolean; spoilt: boolean }) {
  const noTrunk = useTrunks()?.data?.length === 0;
  return (
    <>
      {noTrunk && <NoTrunk />}
      {ready && !noTrunk && <Estimate agent={form.agent} body={runOf(form, to)} />}
      {!ready && (
        <Text className="rt-panel" p="md" size="sm" c="dimmed">
          The estimate appears once agent, dataset and phone number are filled in{spoilt && " and every number is valid"}.
        </Text>
      )}
    </>
  );
}

/** NoTrunk says how to configure a trunk, and how to try without a provider. */
function NoTrunk() {
  return (
    <Alert color="yellow" variant="light" role="note" title="The service cannot place telephone calls yet" styles={{ title: { color: "var(--rt-void)" } }}>
      <Stack gap={6}>
        <Text size="sm">
          It was started without a trunk. Start it with your provider's trunk: <span className="rt-mono rt-words">ringtrue serve --trunk main=sip://user:password@host</span>
        </Text>
        <Text size="sm">
          To try it without a provider, run the practice agent, <span className="rt-mono rt-words">ringtrue practice</span>, and start the service with{" "}
          <span className="rt-mono rt-words">--trunk practice=sip://127.0.0.1:5070</span>. Any number then reaches it.
        </Text>
      </Stack>
    </Alert>
  );
}
