import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { Confirm } from "../../parts/confirm";
import { Empty } from "../../parts/empty";
import { count } from "../../parts/format";
import { useChange } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { Waiting } from "../../parts/waiting";
import { ItemGrid } from "./grid";
import { deleteItem, useItems } from "./items";
import { expectations, firstLine } from "./outline";
import { type DatasetSearch, datasetRoute } from "./routes";

/** Scenarios is the sheet of the scenarios of a dataset. at is the one that was opened last. */
export function Scenarios({ dataset, may, at }: { dataset: Schemas["Dataset"]; may: boolean; at: string | undefined }) {
  const { id } = dataset;
  const { q, version } = datasetRoute.useSearch();
  const change = useChange<DatasetSearch>();
  const [removed, setRemoved] = useState<Schemas["Item"]>();
  const { items, error, loading, complete, load } = useItems(id, version, q !== undefined);
  const old = version !== undefined && version !== dataset.version;
  if (error && !items) return <ProblemBox error={error} />;
  if (!items) return <Waiting height={360} />;
  if (items.length === 0) return <None may={may && !old} />;
  const found = q ? items.filter((item) => holdsWords(q, item.key, item.id, firstLine(item), expectations(item), JSON.stringify(item))) : items;
  return (
    <>
      <div style={{ display: "flex", gap: 12, alignItems: "center", marginBottom: 8, flexWrap: "wrap" }}>
        <Search label="Search scenarios" value={q} change={(next) => change({ q: next }, true)} />
        <Text size="xs" c="dimmed" role="status">
          {q && `${count(found.length)} of ${count(items.length)} scenarios match “${q}”${complete ? "" : "; still loading…"}`}
        </Text>
      </div>
      {found.length === 0 ? (
        <Empty title={`No scenario matches “${q}”`} />
      ) : (
        <ItemGrid
          key={q} items={found} total={q || complete ? found.length : Math.max(old ? items.length + 1 : dataset.item_count, items.length)} load={load} loading={loading} open={(item) => change({ item: item.id })}
          remove={may && !old ? setRemoved : undefined} at={at}
        />
      )}
      {removed && (
        <Confirm
          key={removed.id} title="Delete the scenario" verb="Delete the scenario" begin ask={() => null} closed={() => setRemoved(undefined)}
          act={() => deleteItem(id, removed.id ?? "")}
        >
          {removed.key || firstLine(removed)}: it is left out of the next version.
        </Confirm>
      )}
    </>
  );
}

function None({ may }: { may: boolean }) {
  const change = useChange<DatasetSearch>();
  return (
    <Empty
      title="No scenarios yet"
      action={
        may && (
          <div style={{ display: "flex", gap: 8, flexWrap: "wrap", justifyContent: "center" }}>
            <Button onClick={() => change({ item: "new" })}>Write the first one</Button>
            <Button variant="default" onClick={() => change({ open: "import" })}>Import a file</Button>
            <Button variant="default" onClick={() => change({ open: "calls" })}>Make scenarios from calls</Button>
          </div>
        )
      }
    >
      A scenario is one call: who calls, what they say and do, and what is expected of the agent.
    </Empty>
  );
}
