import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { queries, type Schemas } from "../../api/client";
import { byCursor, moreOf, rowsOf } from "../../api/pages";
import { Empty } from "../../parts/empty";
import { plain } from "../../parts/format";
import { Go, useChange, useGo } from "../../parts/go";
import { Labels } from "../../parts/labels";
import { Needs } from "../../parts/needs";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import { holdsWords, Search } from "../../parts/search";
import { type Column, DataTable } from "../../parts/table";
import { Time } from "../../parts/time";
import { useMay } from "../../shell/session";
import { NewScorer } from "./create";
import { inWords } from "./params";
import { type ScorersSearch, scorersRoute } from "./routes";

type Scorer = Schemas["Scorer"];

/** ScorerList shows the newest version of every scorer. */
export function ScorerList() {
  const search = scorersRoute.useSearch();
  const change = useChange<ScorersSearch>();
  const go = useGo();
  const may = useMay("member");
  const list = queries.useInfiniteQuery("get", "/scorers", { params: { query: { limit: 200 } } }, byCursor);
  const rows = rowsOf<Scorer>(list.data)?.filter((s) => holdsWords(search.q, s.slug, s.name, s.kind, inWords(s.params)));
  const create = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => change({ new: "yes" })}>
      New scorer
    </Button>
  );
  const bare = rows?.length === 0 && !search.q; // then Empty has the buttons
  return (
    <Page
      title="Scorers" about="Checks that turn a call into a verdict. What a scenario expects is checked without one. To check every test call of an agent, name a scorer in its test defaults."
      actions={
        !bare && <>
          <Search label="Search scorers" value={search.q} change={(q) => change({ q }, true)} />
          {create}
        </>
      }
    >
      {!may && search.new && <Needs role="member" what="Making a scorer" />}
      {list.error != null && <ProblemBox error={list.error} />}
      {(rows || !list.error) && (
        <DataTable
          label="Scorers" rows={rows} rowKey={(s) => s.slug} columns={columns} more={moreOf(list)} open={(s) => void go({ to: "/scorers/$slug", params: { slug: s.slug } })}
          empty={
            search.q ? <Empty title={`No scorer matches “${search.q}”`} /> : (
              <Empty title="No scorers yet" action={create}>
                A scorer checks words, figures, tools or the end of a call, or has a language model judge it. You can try it on calls that you already have.
              </Empty>
            )
          }
        />
      )}
      {search.new && may && <NewScorer close={() => change({ new: undefined })} />}
    </Page>
  );
}

const columns: Column<Scorer>[] = [
  {
    key: "slug", header: "Scorer", min: 120, cell: (s) => (
      <Go to="/scorers/$slug" params={{ slug: s.slug }} className="rt-words">
        {s.slug}
      </Go>
    ),
  },
  { key: "name", header: "Name", cell: (s) => <span className="rt-words">{s.name === s.slug ? "" : s.name}</span> },
  { key: "kind", header: "Kind", cell: (s) => plain(s.kind) },
  { key: "params", header: "Checks", width: "35%", min: 180, cell: (s) => <span className="rt-words">{inWords(s.params)}</span> },
  { key: "decides", header: "Verdict", cell: (s) => (s.optional ? "for information" : "decides") },
  { key: "version", header: "Version", numeric: true, cell: (s) => s.version },
  { key: "labels", header: "Labels", cell: (s) => <Labels labels={s.labels} known={[]} version={s.version} /> },
  { key: "at", header: "Changed", cell: (s) => <Time at={s.created_at} /> },
];
