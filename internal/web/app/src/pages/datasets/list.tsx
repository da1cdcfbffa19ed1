import { Alert, Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { queries, type Schemas } from "../../api/client";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { count } from "../../parts/format";
import { Go, useChange, useGo } from "../../parts/go";
import { Needs } from "../../parts/needs";
import { Name } from "../../parts/name";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useMay } from "../../shell/session";
import { NewDataset } from "./create";
import { type DatasetsSearch, datasetsRoute } from "./routes";

type Dataset = Schemas["Dataset"];

/** DatasetList shows all datasets, newest first. */
export function DatasetList() {
  const search = datasetsRoute.useSearch();
  const change = useChange<DatasetsSearch>();
  const go = useGo();
  const may = useMay("member");
  const calls = may ? search.from_calls : undefined;
  const list = queries.useInfiniteQuery("get", "/datasets", { params: { query: { limit: 200 } } }, byCursor);
  const rows = rowsOf<Dataset>(list.data)?.filter((d) => holdsWords(search.q, d.name, d.description, d.id));
  const create = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => change({ new: "yes" })}>
      New dataset
    </Button>
  );
  const bare = rows?.length === 0 && !search.q; // then Empty has the buttons
  return (
    <Page
      title="Datasets"
      about="Lists of scenarios. Each scenario is one call of a run: who calls, what they do, and what is expected of the agent."
      actions={
        !bare && <>
          <Search label="Search datasets" value={search.q} change={(q) => change({ q }, true)} />
          {create}
        </>
      }
    >
      {!may && (search.new || search.from_calls) && <Needs role="member" what={search.new ? "Making a dataset" : "Making scenarios from calls"} />}
      {calls && (
        <Alert role="note" title="Which dataset should the scenarios go into?" color="blue" variant="light">
          Choose one below, or make a new one. You will see each scenario before it is added.
        </Alert>
      )}
      {list.error != null && <ProblemBox error={list.error} />}
      {(rows || !list.error) && (
        <DataTable
          label="Datasets" rows={rows} rowKey={(d) => d.id} columns={columns(calls)} more={moreOf(list)}
          open={(d) => void go({ to: "/datasets/$id", params: { id: d.id }, search: onwards(calls) })}
          empty={search.q ? <Empty title={`No dataset matches “${search.q}”`} /> : <None>{create}</None>}
        />
      )}
      {search.new && may && <NewDataset fromCalls={search.from_calls} close={() => change({ new: undefined })} />}
    </Page>
  );
}

function None({ children }: { children: ReactNode }) {
  return (
    <Empty title="No datasets yet" action={children}>
      A dataset holds the scenarios that your agent is tested with. Write them here, import them from JSON, YAML or CSV, or make them from production calls.
    </Empty>
  );
}

const onwards = (calls: string | undefined) => (calls ? { open: "calls", from_calls: calls } : {});

function columns(calls: string | undefined): Column<Dataset>[] {
  return [
    {
      key: "name", header: "Name", width: "60%", min: 150, cell: (d) => (
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Go to="/datasets/$id" params={{ id: d.id }} search={onwards(calls)}>
            <Name>{d.name}</Name>
          </Go>
          <Text span size="sm" c="dimmed" className="rt-clip" maw={480} visibleFrom="md">
            {d.description}
          </Text>
        </Group>
      ),
    },
    { key: "items", header: "Scenarios", numeric: true, cell: (d) => count(d.item_count) },
    { key: "version", header: "Version", numeric: true, cell: (d) => d.version },
    { key: "changed", header: "Changed", cell: (d) => <Time at={d.updated_at} /> },
  ];
}
