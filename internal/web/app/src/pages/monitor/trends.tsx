import { SimpleGrid, Skeleton } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { queries, type Schemas } from "../../api/client";
import { useClock } from "../../parts/clock";
import { Empty } from "../../parts/empty";
import { Go } from "../../parts/go";
import { Page } from "../../parts/page";
import { type Asked, callsIn, type Stretch, stretchesOf } from "../../parts/departures";
import { labelOf, Metrics } from "../../parts/metrics";
import { Views } from "../../shell/views";
import { pooled } from "./pooled";
import { asBefore, isNarrowed, useWindow } from "./scope";
import { ScopeBar } from "./scopebar";
import { ScopeProblem } from "./scopeproblem";
import { notApart } from "./uncounted";
import { Waiting } from "../../parts/waiting";

const Chart = lazy(() => import("./chart").then((m) => ({ default: m.Chart })));
const day = 86_400_000;
const quarter = 900_000;

/** Trends shows every metric over time, with what is usual, what departed from it, and when versions appeared. */
export function Trends() {
  const { metric, ...scope } = getRouteApi("/layout/monitor/trends").useSearch();
  const asked = useWindow(scope);
  const { data, error, days } = useTrends(asked);
  const marks = useVersions(asked);
  const departures = useDepartures(asked);
  const known = new Map(data?.series?.map((line) => [line.metric, line]));
  const lines = Object.keys(Metrics).flatMap((name) => known.get(name) ?? []).filter((line) => pooled(line.points).some((p) => p.value != null));
  const shown = metric ? lines.filter((line) => line.metric === metric) : lines;
  return (
    <Page
      title={metric ? labelOf(metric) : "Trends"} actions={<Views page="monitor/trends" narrowed={isNarrowed(scope) || metric !== undefined} />}
      about={metric ? Metrics[metric]?.about : "Grey is what is usual at that hour of the week. Drag across a chart to zoom in."} up={metric ? { to: "/monitor/trends", label: "All trends" } : undefined}
    >
      <ScopeBar scope={scope}>
        <Go to="/calls" search={callsIn(asked)}>Calls in this time</Go>
      </ScopeBar>
      {error != null && <ScopeProblem error={error} scope={scope} />}
      {!data && !error && <Waiting height={300} />}
      {data && data.total.calls === 0 && <Empty title={data.in_other ? "Not counted by itself" : "No calls in this time"}>{data.in_other ? `${notApart(data)}.` : "Choose a longer time, another agent, or simulated calls."}</Empty>}
      {data && data.total.calls > 0 && shown.length === 0 && <Empty title="No figures in this time">{nothingOf(metric)}</Empty>}
      {data && data.total.calls > 0 && <Charts lines={shown} alone={metric !== undefined} marks={marks} departures={departures} until={data.until} days={days} />}
    </Page>
  );
}

/** useTrends are the metrics by the hour, or by the day where the time is long. days says that those are days in the reader's zone. */
function useTrends(asked: Asked) {
  const step = asked.until - asked.from <= 8 * day ? ("hour" as const) : ("day" as const);
  const days = step === "day" && asked.until - asked.from <= 93 * day; // for longer times the service has only days of UTC
  const query = { ...asked, step, ...(days && { time_zone: zone() }) };
  return { ...queries.useQuery("get", "/monitoring/trends", { params: { query } }, { refetchInterval: 60_000, placeholderData: asBefore(query) }), days };
}

interface ChartsProps {
  lines: Schemas["TrendLine"][];
  /** alone says that the page is about one metric, whose chart is larger and whose name is that of the page. */
  alone: boolean;
  marks: ReturnType<typeof useVersions>;
  departures: ReturnType<typeof useDepartures>;
  until: number;
  days: boolean;
}

/** Charts are the metrics, each in a chart with its name. */
function Charts({ lines, alone, marks, departures, until, days }: ChartsProps) {
  const zoom = useZoom();
  const now = useClock((at) => Math.floor(at / quarter) * quarter); // in some zones days begin at a quarter past or to the hour
  const height = alone ? 340 : 170;
  return (
    <SimpleGrid cols={alone ? 1 : { base: 1, lg: 2 }} spacing="sm">
      {lines.map((line) => (
        <section key={line.metric} className="rt-panel" style={{ padding: 12, minWidth: 0 }} aria-label={labelOf(line.metric)}>
          {!alone && (
            <Link to="/monitor/trends" search={(before: Record<string, unknown>) => ({ ...before, metric: line.metric })} title={Metrics[line.metric]?.about}>
              {labelOf(line.metric)}
            </Link>
          )}
          <Suspense fallback={<Skeleton height={height} />}>
            <Chart line={line} height={height} until={until} now={now} days={days} marks={marks} stretches={departures.get(line.metric) ?? none} zoom={zoom} />
          </Suspense>
        </section>
      ))}
    </SimpleGrid>
  );
}

/** useZoom narrows the page to a time that was dragged over, in whole hours. */
function useZoom() {
  const navigate = useNavigate({ from: "/monitor/trends" });
  return (from: number, until: number) => {
    const hour = 3_600_000;
    void navigate({ search: (before: Record<string, unknown>) => ({ ...before, last: undefined, from: Math.floor(from / hour) * hour, until: Math.ceil(until / hour) * hour }) });
  };
}

/** nothingOf says why there are calls and yet nothing to draw. */
function nothingOf(metric: string | undefined): string {
  if (metric && !Object.hasOwn(Metrics, metric)) return `There is no figure “${metric}”.`;
  return metric ? "None of the calls in this time has this figure. Choose a longer time or another agent." : "None of the calls in this time has any figures.";
}

const none: Stretch[] = [];

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** useVersions are when agent versions and models had their first call within that time. */
function useVersions(asked: Asked) {
  const long = asked.until - asked.from > 93 * day;
  const ask = (by: string) => ({ params: { query: { ...asked, by } } }) as const;
  const versions = queries.useQuery("get", "/monitoring/breakdown", ask("agent_version"), { enabled: !long, staleTime: 60_000 });
  const models = queries.useQuery("get", "/monitoring/breakdown", ask("model"), { enabled: !long, staleTime: 60_000 });
  return useMemo(() => {
    const came = (data: Schemas["Breakdown"] | undefined) => (data?.parts ?? []).filter((part) => part.first > asked.from + 12 * 3_600_000).map((part) => ({ at: part.first, name: part.value }));
    return [...came(versions.data), ...came(models.data)];
  }, [versions.data, models.data, asked.from]);
}

/** useDepartures are the anomalies of that time, by metric. There are none for simulated calls: nothing is usual for them. */
function useDepartures(asked: Asked) {
  const long = asked.until - asked.from > 93 * day;
  const { dimension: _, value: __, origin, ...anyValue } = asked;
  const { data } = queries.useQuery("get", "/monitoring/anomalies", { params: { query: anyValue } }, { enabled: !long && !asked.dimension && origin !== "simulated" });
  return useMemo(() => stretchesOf(data?.anomalies ?? [], asked.agent_id), [data, asked.agent_id]);
}
