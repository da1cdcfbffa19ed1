import { ActionIcon, Alert, Anchor, Button, Menu, Tabs } from "@mantine/core";
import { IconDots, IconDownload, IconFileImport, IconMicrophone, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { refresh } from "../../api/refresh";
import { Confirm } from "../../parts/confirm";
import { counted } from "../../parts/format";
import { Go, linked, useChange, useGo } from "../../parts/go";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { Time } from "../../parts/time";
import { useMay } from "../../shell/session";
import { FromCalls } from "./calls";
import { ImportItems, RenameDataset } from "./dialogs";
import { downloadDataset } from "./export";
import { ItemPage } from "./editor";
import { useOrder } from "./items";
import { type DatasetSearch, datasetRoute } from "./routes";
import { Scenarios } from "./scenarios";
import { Versions } from "./versions";
import { Waiting } from "../../parts/waiting";

type Dataset = Schemas["Dataset"];

/** DatasetPage shows a dataset: its items as a sheet, one of them in the editor, or its versions. */
export function DatasetPage() {
  const { id } = datasetRoute.useParams();
  const search = datasetRoute.useSearch();
  const change = useChange<DatasetSearch>();
  const may = useMay("member");
  const dataset = queries.useQuery("get", "/datasets/{id}", { params: { path: { id } } });
  const [at, setAt] = useState(search.item); // the scenario that was opened last, to come back to it in the sheet
  if (search.item && search.item !== at) setAt(search.item);
  if (!dataset.data) {
    return (
      <Page title="Dataset" up={{ to: "/datasets", label: "Datasets" }}>
        {dataset.error ? <ProblemBox error={dataset.error} /> : <Waiting height={360} />}
      </Page>
    );
  }
  const d = dataset.data;
  const close = () => change({ open: undefined, from_calls: undefined });
  return (
    <Page title={d.name} up={{ to: "/datasets", label: "Datasets" }} about={<About dataset={d} />} actions={<Actions dataset={d} may={may} />}>
      {search.version !== undefined && search.version !== d.version && <OldVersion dataset={d} version={search.version} />}
      {!may && (search.item === "new" || search.open) && <Needs role="member" what="Changing a dataset" />}
      {search.item && (may || search.item !== "new") ? (
        <Item dataset={d} may={may} />
      ) : (
        <Tabs value={search.tab === "versions" ? "versions" : "items"} onChange={(tab) => change({ tab: tab === "versions" ? tab : undefined, changes: undefined })}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="items">Scenarios</Tabs.Tab>
            <Tabs.Tab value="versions">Versions</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="items">{search.tab !== "versions" && <Scenarios dataset={d} may={may} at={at} />}</Tabs.Panel>
          <Tabs.Panel value="versions">{search.tab === "versions" && <Versions dataset={d} />}</Tabs.Panel>
        </Tabs>
      )}
      {may && search.open === "import" && <ImportItems dataset={d} close={close} />}
      {may && search.open === "rename" && <RenameDataset dataset={d} close={close} />}
      {may && search.open === "calls" && <FromCalls dataset={d} close={close} given={search.from_calls} />}
    </Page>
  );
}

function About({ dataset }: { dataset: Dataset }) {
  return (
    <>
      {dataset.description && <span className="rt-words">{dataset.description} </span>}
      <span>
        {counted(dataset.item_count, "scenario")} · version {dataset.version} · changed <Time at={dataset.updated_at} /> ·{" "}
        <Go to="/experiments" search={{ dataset: dataset.id }} inText>
          experiments
        </Go>
      </span>
    </>
  );
}

function Actions({ dataset, may }: { dataset: Dataset; may: boolean }) {
  const change = useChange<DatasetSearch>();
  const go = useGo();
  const [problem, setProblem] = useState<unknown>(null);
  const { item } = datasetRoute.useSearch();
  const show = (open: string) => change({ open });
  return (
    <>
      {problem != null && <ProblemBox error={problem} />}
      {may && item !== "new" && (
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => change({ item: "new", tab: undefined, version: undefined, copy: undefined })}>
          Add scenario
        </Button>
      )}
      {may && dataset.item_count > 0 && (
        <Button variant={item ? "default" : "filled"} renderRoot={linked({ to: "/experiments/new", search: { dataset: dataset.id } })} leftSection={<IconPlayerPlay size={16} />}>
          Start a test run
        </Button>
      )}
      <Confirm
        title={`Delete ${dataset.name}`} verb="Delete the dataset" act={async () => {
          await request("DELETE", `/datasets/${encodeURIComponent(dataset.id)}`);
          await go({ to: "/datasets" }, true);
          await refresh("/datasets");
        }}
        ask={(ask) => (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={32} aria-label="More">
                <IconDots size={17} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {may && <Menu.Item leftSection={<IconFileImport size={15} />} onClick={() => show("import")}>Import a file…</Menu.Item>}
              {may && <Menu.Item leftSection={<IconMicrophone size={15} />} onClick={() => show("calls")}>Make scenarios from calls…</Menu.Item>}
              <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => void downloadDataset(dataset, "json").catch(setProblem)}>Download as JSON</Menu.Item>
              <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => void downloadDataset(dataset, "jsonl").catch(setProblem)}>Download as JSON Lines</Menu.Item>
              {may && <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => show("rename")}>Name and description…</Menu.Item>}
              {may && <Menu.Divider />}
              {may && <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={ask}>Delete the dataset…</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        )}
      >
        What it holds ({counted(dataset.item_count, "scenario")}) is gone for good. The experiments that ran it stay, with their calls.
      </Confirm>
    </>
  );
}

function OldVersion({ dataset, version }: { dataset: Dataset; version: number }) {
  const change = useChange<DatasetSearch>();
  return (
    <Alert role="note" color="yellow" variant="light" title={`You are looking at version ${version}; the current version is ${dataset.version}`} styles={{ title: { color: "var(--rt-void)" } }}>
      <Anchor component="button" type="button" size="sm" onClick={() => change({ version: undefined })}>
        Back to the current version
      </Anchor>
    </Alert>
  );
}

function Item({ dataset, may }: { dataset: Dataset; may: boolean }) {
  const { item = "", copy, version } = datasetRoute.useSearch();
  const change = useChange<DatasetSearch>();
  const order = useOrder(dataset.id, version, item);
  const old = version !== undefined && version !== dataset.version;
  return (
    <ItemPage
      dataset={dataset} itemID={item} copy={copy} version={old ? version : undefined} readOnly={!may || old} order={order}
      go={(to, from, done) => change({ item: to, copy: from }, done)}
    />
  );
}
