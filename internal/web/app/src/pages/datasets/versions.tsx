import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries, type Schemas } from "../../api/client";
import { Diff } from "../../parts/diff";
import { count } from "../../parts/format";
import { Go, useChange } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { Mark } from "../../parts/verdict";
import { allItems, type Change, changesOf, plainOf } from "./changes";
import { firstLine } from "./outline";
import { type DatasetSearch, datasetRoute } from "./routes";

type Version = Schemas["DatasetVersion"];

/** Versions lists the versions of a dataset, and shows what one of them changed. */
export function Versions({ dataset }: { dataset: Schemas["Dataset"] }) {
  const { changes } = datasetRoute.useSearch();
  const list = queries.useQuery("get", "/datasets/{id}/versions", { params: { path: { id: dataset.id } } });
  if (list.error && !list.data) return <ProblemBox error={list.error} />;
  const known = list.data?.data ?? undefined;
  return (
    <Stack>
      {changes !== undefined && <Changes key={changes} id={dataset.id} version={changes} />}
      <DataTable label="Versions" rows={known} rowKey={(v) => String(v.version)} columns={columns(dataset, known ?? [])} />
    </Stack>
  );
}

function columns(dataset: Schemas["Dataset"], all: Version[]): Column<Version>[] {
  const of = (v: Version) => (v.version === dataset.version ? undefined : v.version);
  return [
    {
      key: "version", header: "Version", cell: (v) => (
        <Go to="/datasets/$id" params={{ id: dataset.id }} search={{ version: of(v) }}>
          Version {v.version}
        </Go>
      ),
    },
    { key: "items", header: "Scenarios", numeric: true, cell: (v) => count(v.item_count) },
    { key: "by", header: "Difference", numeric: true, cell: (v) => difference(v, all) },
    { key: "at", header: "Created", cell: (v) => <Time at={v.created_at} /> },
    {
      key: "changes", header: "Changes", cell: (v) => (v.version > 1 || v.item_count > 0) && (
        <Go to="/datasets/$id" params={{ id: dataset.id }} search={{ tab: "versions", changes: v.version }} label={`What it changed, version ${v.version}`}>
          What it changed
        </Go>
      ),
    },
  ];
}

/** difference is how many items more or fewer a version has than the one before. */
function difference(v: Version, all: Version[]): string {
  const before = all.find((other) => other.version === v.version - 1);
  const by = before ? v.item_count - before.item_count : v.item_count;
  return by > 0 ? `+${count(by)}` : by < 0 ? `−${count(-by)}` : "±0";
}

const Shown = 100;

function Changes({ id, version }: { id: string; version: number }) {
  const show = useChange<DatasetSearch>();
  const changes = useQuery({
    queryKey: ["changes", id, version],
    queryFn: async () => changesOf(version > 1 ? await allItems(id, version - 1) : [], await allItems(id, version)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const all = changes.data ?? [];
  const sum = (kind: Change["kind"]) => all.filter((change) => change.kind === kind).length;
  return (
    <Stack gap="xs" component="section" aria-label={`What version ${version} changed`}>
      <Group justify="space-between">
        <Text fw={600}>
          What version {version} changed{changes.data && `: ${count(sum("added"))} added, ${count(sum("changed"))} changed, ${count(sum("removed"))} removed`}
        </Text>
        <Button variant="default" size="xs" onClick={() => show({ changes: undefined })}>
          Close
        </Button>
      </Group>
      {changes.error && <ProblemBox error={changes.error} />}
      {changes.isPending && <Skeleton height={120} aria-label="Comparing" />}
      {changes.data && all.length === 0 && <Text size="sm" c="dimmed">No scenario changed. Their order may have, or they were saved again as they were.</Text>}
      {all.slice(0, Shown).map((change) => (
        <Changed key={change.after?.id ?? change.before?.id} id={id} change={change} version={version} />
      ))}
      {all.length > Shown && <Text size="sm" c="dimmed">and {count(all.length - Shown)} more</Text>}
    </Stack>
  );
}

const Tones: Record<Change["kind"], string> = { added: "passed", removed: "failed", changed: "running" };

function Changed({ id, change, version }: { id: string; change: Change; version: number }) {
  const item = change.after ?? change.before;
  if (!item) return null;
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Mark tone={Tones[change.kind]} label={change.kind} />
        <Go to="/datasets/$id" params={{ id }} search={{ item: item.id, version: change.after ? version : version - 1 }} className="rt-words">
          {item.key || firstLine(item) || item.id}
        </Go>
      </Group>
      {change.kind === "changed" && <Diff before={plainOf(change.before)} after={plainOf(change.after)} label={`What changed in ${item.key || firstLine(item)}`} />}
    </div>
  );
}
