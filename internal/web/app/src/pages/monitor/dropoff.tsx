import { SegmentedControl, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { queries, type Schemas } from "../../api/client";
import { callsIn } from "../../parts/departures";
import { Empty } from "../../parts/empty";
import { count, counted, percent, unmasked } from "../../parts/format";
import type { SearchOf } from "../../parts/go";
import { Page } from "../../parts/page";
import { DataTable } from "../../parts/table";
import { Mark } from "../../parts/verdict";
import classes from "./dropoff.module.css";
import { Views } from "../../shell/views";
import { asBefore, isNarrowed, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";
import { shareOf } from "./share";
import { Waiting } from "../../parts/waiting";
import { noCalls } from "./uncounted";

const Kinds = { turns: "By turns", seconds: "By time", stages: "By stage" } as const;
type Kind = keyof typeof Kinds;

/** DropOff shows where callers leave before their goal. */
export function DropOff() {
  const { by, ...scope } = getRouteApi("/layout/monitor/drop-off").useSearch();
  const navigate = useNavigate({ from: "/monitor/drop-off" });
  const asked = useWindow(scope);
  const { data, error } = queries.useQuery("get", "/monitoring/drop-off", { params: { query: asked } }, { refetchInterval: 60_000, placeholderData: asBefore(asked) });
  const kind: Kind = by && Object.hasOwn(Kinds, by) ? (by as Kind) : "turns";
  const left = data?.left;
  // The service counts whole hours: the links use what it counted, so that they lead to exactly these calls.
  const calls = callsIn({ ...asked, from: data?.from ?? asked.from, until: data?.until ?? asked.until });
  return (
    <Page title="Drop-off" actions={<Views page="monitor/drop-off" narrowed={isNarrowed(scope) || by !== undefined} />} about="Answered calls whose caller hung up before reaching the goal.">
      <ScopeBar scope={scope}>
        <SegmentedControl size="xs" aria-label="Show drop-off" value={kind} onChange={(next) => void navigate({ search: (before: Record<string, unknown>) => ({ ...before, by: next === "turns" ? undefined : next }), replace: true })} data={Object.entries(Kinds).map(([value, label]) => ({ value, label }))} />
      </ScopeBar>
      {error != null && <ScopeProblem error={error} scope={scope} />}
      {!data && error == null && <Waiting height={320} />}
      {left && left.of > 0 && (
        <Text size="sm">
          <Link to="/calls" search={{ ...calls, left: "early" }}>
            {count(left.count)} of {counted(left.of, "caller")}
          </Link>{" "}
          left early{shareOf(left)}.
        </Text>
      )}
      {data && left?.of === 0 && <Empty title="No answered calls in this time">{data.in_other ? noCalls(data) : undefined}</Empty>}
      {data && left && left.of > 0 && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Funnel funnel={data[kind]} kind={kind} calls={calls} />
          <Stack gap="xs">
            <Title order={2}>What the agent said last</Title>
            <DataTable
              label="Last words before callers left"
              rows={data.last_acts}
              rowKey={(act) => act.words}
              empty={<Empty title="Nobody left early">{null}</Empty>}
              columns={[
                { key: "words", header: "The agent said", min: 160, cell: (act) => <span className="rt-words">{unmasked(act.words)}</span> },
                { key: "left", header: "Left after this", numeric: true, cell: (act) => <Behind calls={calls} left={act.numbers.length ? `words:${act.numbers.join(",")}` : undefined} count={act.left} /> },
              ]}
            />
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}

/** Narrowed is what the page is narrowed to, as the list of calls takes it. */
type Narrowed = SearchOf<"/calls">;

interface BehindProps {
  calls: Narrowed;
  /** left is the place as the filter of calls writes it; undefined where calls cannot be narrowed to it. */
  left: string | undefined;
  count: number;
}

/** Behind is a number that links to the calls behind it. */
function Behind({ calls, left, count: n }: BehindProps) {
  if (n === 0) return <span style={{ color: "var(--mantine-color-dimmed)" }}>0</span>;
  if (!left) return <>{count(n)}</>;
  return (
    <Link to="/calls" search={{ ...calls, left }} style={{ textDecoration: "underline" }}>
      {count(n)}
    </Link>
  );
}

/** placeOf is a place as the filter of calls writes it. */
function placeOf(kind: Kind, place: string): string {
  return kind === "stages" ? `stage:${place}` : `${kind}:${place}`;
}

function Funnel({ funnel, kind, calls }: { funnel: Schemas["Funnel"]; kind: Kind; calls: Narrowed }) {
  const places = funnel.places.map((place, index) => ({ ...place, index }));
  const most = Math.max(1, ...places.map((place) => place.reached));
  return (
    <Stack gap="xs">
      <Title order={2}>{Kinds[kind]}</Title>
      <DataTable
        label={`Callers who were still there, ${Kinds[kind].toLowerCase()}`}
        rows={places}
        rowKey={(place) => place.place}
        empty={<Empty title="Nothing to show">{kind === "stages" ? "No platform has reported stages for these calls." : funnel.reason}</Empty>}
        columns={[
          {
            key: "place",
            header: kind === "turns" ? "Turns" : kind === "seconds" ? "Seconds" : "Stage",
            cell: (place) => (
              <>
                {place.place} {funnel.steepest === place.index && <Mark tone="failed" label="most leave here" />}
              </>
            ),
          },
          { key: "bar", header: "Still there", width: "45%", cell: (place) => <Bar reached={place.reached / most} left={place.left.count / most} /> },
          { key: "reached", header: "Reached", numeric: true, cell: (place) => count(place.reached) },
          {
            key: "left", header: "Left here", numeric: true, cell: (place) => (
              <>
                <Behind calls={calls} left={placeOf(kind, place.place)} count={place.left.count} />
                {place.left.rate != null && place.left.count > 0 && ` (${percent(place.left.rate, 1)})`}
              </>
            ),
          },
        ]}
      />
    </Stack>
  );
}

function Bar({ reached, left }: { reached: number; left: number }) {
  return (
    <div className={classes.bar} aria-hidden>
      <div className={classes.fill} style={{ width: `${reached * 100}%` }} />
      <div className={classes.left} style={{ left: `${(reached - left) * 100}%`, width: `${left * 100}%` }} />
    </div>
  );
}
