import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, type Schemas } from "../../api/client";
import { type LiveEvent, type StreamEvent, type StreamState, useEvents, useThrottled } from "../../api/events";
import { isOver } from "./figures";

/** Results are the results of an experiment, with the scenarios of all pages. */
export type Results = Omit<Schemas["ExperimentResults"], "scenarios" | "next_cursor"> & { scenarios: Scenario[] };

export type Scenario = Schemas["ScenarioResult"];
export type CallOf = Schemas["CallResult"];
export type Metric = Schemas["MetricResult"];

/** MostCalls is how many calls, and so scenarios, an experiment has at most. */
const MostCalls = 10_000;

// How often results are read while events tell of more, and while they have to be polled for, in ms. Reading takes at most a tenth of the time, so that large runs
// do not keep the service busy; and a call is some 500 bytes, of which PerCall lets through 100 KB a second.
const Soon = 2_000;
const Polled = 3_000;
const Seldom = 20_000;
const Share = 10;
const PerCall = 5;

/** atLeast is a pause that is longer where there are many calls to read. */
const atLeast = (pause: number, calls: number) => Math.min(Seldom, Math.max(pause, PerCall * calls));

async function readAll(id: string, signal: AbortSignal): Promise<Results> {
  const scenarios: Scenario[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, error } = await api.GET("/voice-experiments/{id}/results", { params: { path: { id }, query: { limit: MostCalls, cursor } }, signal });
    if (error) throw error;
    scenarios.push(...data.scenarios);
    if (!data.next_cursor) return { ...data, scenarios };
    cursor = data.next_cursor;
  }
}

/** useResults are the results of an experiment. While it runs they are read again after events, and by polling where the stream is broken. */
export function useResults(id: string, onLive: (event: LiveEvent) => void, onStep: (event: StreamEvent) => void) {
  const client = useQueryClient();
  const key = ["results", id];
  const took = useRef(0);
  const known = () => client.getQueryData<Results>(key)?.voice_experiment;
  const renew = () => void client.invalidateQueries({ queryKey: key });
  const refresh = useThrottled(renew, () => Math.max(atLeast(Soon, known()?.counts.calls ?? 0), Share * took.current));
  const status = known()?.status;
  const running = status !== undefined && !isOver(status);
  const stream = useEvents({
    experiment: id,
    enabled: running,
    onLive,
    onEvent: (event) => {
      onStep(event);
      if (event.kind === "experiment") renew();
      else if (event.verdict) refresh();
    },
    onOpen: renew,
  });
  const read = async ({ signal }: { signal: AbortSignal }) => {
    const began = performance.now();
    const all = await readAll(id, signal);
    took.current = performance.now() - began;
    return all;
  };
  const query = useQuery({ queryKey: key, queryFn: read, refetchInterval: ({ state }) => paceOf(state.data, stream) });
  return { query, running, stream };
}

/** paceOf is how often results are polled. With an open stream that is seldom, and only makes up for what the stream may have missed. */
export function paceOf(data: Results | undefined, stream: StreamState): number | false {
  if (!data) return false;
  if (isOver(data.voice_experiment.status)) return shownOf(data.scenarios).some(awaitsScores) ? 5_000 : false;
  return stream === "open" ? Seldom : atLeast(Polled, data.voice_experiment.counts.calls);
}

/** awaitsScores tells whether a verdict is still to come. Of a canceled run, the calls that were over by then are scored all the same. */
const awaitsScores = ({ call }: Shown) => call.status === "ENDED" && (call.scoring_status === "PENDING" || call.scoring_status === "SCORING");

/** Shown is a call together with its scenario. */
export interface Shown {
  scenario: Scenario;
  call: CallOf;
}

/** shownOf are all calls, in the order of the dataset. */
export function shownOf(scenarios: Scenario[]): Shown[] {
  return scenarios.flatMap((scenario) => scenario.calls.map((call) => ({ scenario, call })));
}

/** Verdicts are what calls can be narrowed to, those that want a look first. */
export const Verdicts = ["failed", "void", "not_evaluated", "passed"];
