import { Button, Group, Progress, SimpleGrid, Text, VisuallyHidden } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { memo, useMemo, useState, useSyncExternalStore } from "react";
import type { StreamState } from "../../api/events";
import { count, counted, duration, plain, roughly } from "../../parts/format";
import { Go } from "../../parts/go";
import { Mark, Status, Verdict } from "../../parts/verdict";
import { settled, toldOf, tookOf } from "./figures";
import classes from "./live.module.css";
import { leftOf, type LiveCall, type LiveCalls, onLine, placesOf, type Step } from "./livecalls";
import { shownOf, type Results, type Shown } from "./results";
import { Wave } from "./wave";

const Few = 12;

interface LiveProps {
  results: Results;
  live: LiveCalls;
  stream: StreamState;
}

/** Live shows an experiment while it runs: how far it is, and what each call on the line is doing. */
export function Live({ results, live, stream }: LiveProps) {
  useSyncExternalStore(live.subscribe, live.snapshot);
  const [all, setAll] = useState(false);
  const list = useMemo(() => shownOf(results.scenarios), [results.scenarios]);
  const calls = list.map((shown) => ({ ...shown, now: nowOf(shown, live) }));
  const on = calls.filter(({ now }) => onLine(now));
  const waiting = calls.filter(({ now }) => now.status === "QUEUED").length;
  const done = calls.filter(({ now }) => now.verdict).length;
  const places = usePlaces(on.map(({ call }) => call.id));
  const byId = new Map(calls.map((one) => [one.call.id, one]));
  const shown = all ? places : places.slice(0, Few);
  return (
    <section aria-label="Live" className={classes.live}>
      <Progressed results={results} done={done} on={on.length} waiting={waiting} scoring={calls.length - done - on.length - waiting} stream={stream} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {shown.map((id, place) => {
          const one = byId.get(id);
          return one && <Card key={place} scenario={one.scenario} call={one.call} status={one.now.status} verdict={one.now.verdict} live={live.calls.get(id)} />;
        })}
      </SimpleGrid>
      {places.length > shown.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          Show {counted(places.length - shown.length, "other call")} on the line
        </Button>
      )}
    </section>
  );
}

/** usePlaces keeps each card in its place while calls begin and end. */
function usePlaces(on: string[]): string[] {
  const [places, setPlaces] = useState<string[]>(on);
  const next = placesOf(places, on);
  if (next.length !== places.length || next.some((id, i) => id !== places[i])) setPlaces(next);
  return next;
}

/** nowOf is how far a call is: as the stream said last, or else as the results say. Nothing comes after a verdict, so results with one are the latest. */
function nowOf({ call }: Shown, live: LiveCalls): Step {
  const step = live.steps.get(call.id);
  if (!step || call.verdict) return { status: call.status, scoring_status: call.scoring_status, verdict: call.verdict ?? undefined };
  return step;
}

interface ProgressedProps {
  results: Results;
  done: number;
  on: number;
  waiting: number;
  scoring: number;
  stream: StreamState;
}

function Progressed({ results, done, on, waiting, scoring, stream }: ProgressedProps) {
  const e = results.voice_experiment;
  const total = Math.max(1, e.counts.calls);
  const left = leftOf(Math.max(done, settled(e.counts)), on + scoring, e.counts.calls, tookOf(e, Date.now()));
  return (
    <div className={classes.progress}>
      {/* The bar shows only settled calls; those under way are beside it in words. */}
      <Progress.Root size="lg" aria-label={`${count(done)} of ${count(e.counts.calls)} calls are settled`}>
        <Progress.Section value={(100 * done) / total} color="var(--rt-agent)" aria-label="settled" />
      </Progress.Root>
      <Group gap="md" mt={6}>
        <Text size="sm">
          {count(done)} of {count(e.counts.calls)} settled
        </Text>
        {/* Several calls may be settled per second: not each of them is read out. */}
        <VisuallyHidden role="status">
          {count(toldOf(done, e.counts.calls))} of {count(e.counts.calls)} settled
        </VisuallyHidden>
        <Text size="sm" c="dimmed">
          {count(on)} on the line, {count(scoring)} being scored, {count(waiting)} waiting
        </Text>
        {left != null && (
          <Text size="sm" c="dimmed">
            about {roughly(left)} left
          </Text>
        )}
        {stream === "broken" && <Mark tone="void" label="connection lost; this page checks from time to time" icon={<IconPlugConnectedX size={14} aria-hidden />} />}
      </Group>
    </div>
  );
}

interface CardProps extends Shown {
  status: string;
  verdict: string | undefined;
  live: LiveCall | undefined;
}

/** Card is one call. It is memoised: a message is about one call of maybe a hundred. */
const Card = memo(function Card({ scenario, call, status, verdict, live }: CardProps) {
  const words = live?.said.slice(-4) ?? [];
  return (
    <article className={`rt-panel ${classes.card}`} aria-label={scenario.title}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Go to="/calls/$id" params={{ id: call.id }} className={classes.title}>
          <span className="rt-clip">{scenario.title}</span>
          {scenario.calls.length > 1 && <span>&nbsp;(repetition {call.repetition})</span>}
        </Go>
        <Group gap={6} wrap="nowrap">
          {live && live.time > 0 && <Text size="sm">{duration(live.time)}</Text>}
          <State status={status} verdict={verdict} live={live} />
        </Group>
      </Group>
      <Wave caller={live?.caller ?? None} agent={live?.agent ?? None} step={live?.step ?? 100} length={live?.time ?? 0} />
      <div className={classes.words}>
        {words.length === 0 && (
          <Text size="xs" c="dimmed">
            {verdict || status === "ENDED" ? "This call is over." : live ? (live.agent.some((peak) => peak > Heard) ? "The caller has said nothing yet." : "Nothing has been said yet.") : "What is said appears here only if this process has the call on its line."}
          </Text>
        )}
        {words.map((said) => (
          <p key={`${said.speaker}${said.start_ms}`} className={classes[said.speaker]}>
            <b>{said.speaker === "agent" ? "Agent" : "Caller"}</b> <bdi>{said.text}</bdi>
          </p>
        ))}
      </div>
    </article>
  );
});

function State({ status, verdict, live }: Pick<CardProps, "status" | "verdict" | "live">) {
  if (verdict) return <Verdict verdict={verdict} />;
  if (live) return <Mark tone={live.state === "over" ? "open" : "running"} label={plain(live.state)} />;
  return <Status status={status} />;
}

const None: number[] = [];

const Heard = 0.05; // the least peak that is speech
