import { NativeSelect, Text } from "@mantine/core";
import { queries, type Schemas } from "../api/client";

type Trunk = Schemas["Trunk"];

/** useTrunks are the trunks of the service. With ask, whether they answer is checked as well; the list is there before that, since it may take a while. */
export function useTrunks(ask = false) {
  const quick = queries.useQuery("get", "/trunks", {}, { staleTime: 60_000 });
  const asked = queries.useQuery("get", "/trunks", { params: { query: { check: true } } }, { staleTime: 15_000, enabled: ask });
  return asked.data ?? quick.data;
}

/** limitsOf says in words what a trunk allows. */
export function limitsOf({ calls_per_second: perSecond, concurrent_calls: places }: Trunk): string {
  const limits = [perSecond != null && `${perSecond} ${perSecond === 1 ? "call" : "calls"} per second`, places != null && `${places} at a time`].filter(Boolean);
  return limits.length > 0 ? limits.join(", ") : "no limits";
}

interface TrunkChoiceProps {
  value: string;
  choose: (name: string) => void;
  /** none is the label of choosing no trunk; by default it names the default trunk. */
  none?: string | undefined;
  error?: string | undefined;
  disabled?: boolean;
}

/** TrunkChoice chooses the way into the telephone network that calls take. */
export function TrunkChoice({ value, choose, none, error, disabled = false }: TrunkChoiceProps) {
  const known = useTrunks(true);
  const list = known?.data ?? [];
  const usual = list.find((trunk) => trunk.default);
  const chosen = list.find((trunk) => trunk.name === value);
  const missing = value !== "" && !chosen;
  const options = [
    { value: "", label: none ?? (usual ? `The default (${usual.name})` : "The default") },
    ...list.map((trunk) => ({ value: trunk.name, label: `${trunk.name} (${limitsOf(trunk)})` })),
    ...(missing ? [{ value, label: known ? `${value} (not configured here)` : value }] : []),
  ];
  const silent = (chosen ?? (none ? undefined : usual))?.answers === false;
  return (
    <NativeSelect
      label="Trunk" value={value} data={options} error={error} disabled={disabled} onChange={(event) => choose(event.currentTarget.value)}
      description={silent ? <Silent /> : known && list.length === 0 ? "No trunk is configured: start the service with --trunk" : "How calls reach the telephone network"}
    />
  );
}

function Silent() {
  return (
    <Text span size="xs" c="var(--rt-warn)">
      It is not answering right now
    </Text>
  );
}
