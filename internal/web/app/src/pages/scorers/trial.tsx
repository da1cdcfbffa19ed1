import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { queries, request, type Schemas } from "../../api/client";
import { nameOf, useAgents } from "../../api/names";
import { fieldsOf } from "../../api/problem";
import { duration, figure, plain } from "../../parts/format";
import { Go } from "../../parts/go";
import { ProblemBox } from "../../parts/problem";
import { Time } from "../../parts/time";
import { Verdict } from "../../parts/verdict";
import { Waiting } from "../../parts/waiting";
import { type Draft, isUnread, sent } from "./params";
import classes from "./trial.module.css";

type Call = Schemas["CallSummary"];
type Score = Schemas["Score"];

/** Outcome is the result of trying the scorer on a call; null while it runs. */
type Outcome = { score: Score } | { error: unknown } | null;

const Filters: Record<string, { label: string; query: object }> = {
  all: { label: "Latest calls", query: {} },
  failed: { label: "Calls that failed", query: { verdict: "failed" } },
  passed: { label: "Calls that passed", query: { verdict: "passed" } },
  simulated: { label: "Test calls", query: { origin: "simulated" } },
  production: { label: "Production calls", query: { origin: "production" } },
};

interface TrialProps {
  draft: Draft;
  /** first is a call that was chosen on another page. */
  first?: string;
  /** refused gets the messages about the settings, by path. */
  refused: (fields: Record<string, string>) => void;
}

/** Trial tries the scorer, as it is in the form, on calls that were reviewed. Nothing is stored, and no verdict changes. */
export function Trial({ draft, first, refused }: TrialProps) {
  const [filter, setFilter] = useState("all");
  const [other, setOther] = useState(first ?? "");
  const [outcomes, setOutcomes] = useState<Record<string, Outcome>>({});
  const calls = queries.useQuery("get", "/calls", { params: { query: { limit: 12, scoring_status: "SCORED", ...Filters[filter]?.query } } });
  // An outcome belongs to the settings that were tried: it is not shown for others.
  const config = JSON.stringify([draft.kind, sent(draft.params)]);
  const put = (id: string, outcome: Outcome) => setOutcomes((old) => ({ ...old, [`${id} ${config}`]: outcome }));
  const unread = isUnread(draft);
  const wanted = `${filter} ${config}`;
  const asking = useRef<string>(undefined); // the calls that are listed and the settings in the form; undefined once the page is left
  useEffect(() => {
    asking.current = wanted;
    return () => {
      asking.current = undefined;
    };
  }, [wanted]);
  const isStale = () => asking.current !== wanted;
  const of = (id: string) => (unread ? undefined : outcomes[`${id} ${config}`]);
  const attempt = async (id: string) => {
    put(id, null);
    try {
      const { score } = await request<Schemas["ScorerPreview"]>("POST", "/scorers/preview", { kind: draft.kind, params: sent(draft.params), call_id: id, ...(draft.name && { name: draft.name }) });
      put(id, { score });
      return true;
    } catch (error) {
      const fields = fieldsOf(error);
      if (!isStale() && Object.keys(fields).some((place) => place.startsWith("params"))) refused(fields);
      put(id, { error });
      return false;
    }
  };
  const found = calls.data?.data ?? [];
  // A judge is paid for each call: no further one is tried once somebody has gone away, or changed what is tried or on which calls.
  const attemptAll = async () => {
    for (const call of found) {
      if (!(await attempt(call.id)) || isStale()) return;
    }
  };
  const busy = found.some((call) => of(call.id) === null);
  const extra = other.match(/call_[0-9a-z]+/)?.[0];
  return (
    <Stack className="rt-panel" p="sm" gap="sm" miw={0} component="section" aria-label="Try it on calls">
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <div>
          <Title order={2}>Try it on calls</Title>
          <Text size="xs" c="dimmed">It uses what their review heard and measured. Nothing is saved.</Text>
        </div>
        <Button flex="none" size="xs" variant="light" leftSection={<IconPlayerPlay size={14} />} onClick={() => void attemptAll()} loading={busy} disabled={found.length === 0 || unread}>
          Try on all below
        </Button>
      </Group>
      <Group gap="xs" align="flex-end">
        <NativeSelect aria-label="Filter calls" value={filter} data={Object.entries(Filters).map(([value, { label }]) => ({ value, label }))} onChange={(event) => setFilter(event.currentTarget.value)} />
        <TextInput flex={1} aria-label="Another call" placeholder="or the id or link of a call" value={other} onChange={(event) => setOther(event.currentTarget.value)} />
        <Button variant="default" disabled={!extra || unread} onClick={() => extra && void attempt(extra)}>
          Try
        </Button>
      </Group>
      <Text size="sm" role="status">{unread ? "The settings are not valid yet." : sumOf(found.map((call) => of(call.id)))}</Text>
      {calls.error && <ProblemBox error={calls.error} />}
      {calls.isPending && <Waiting height={160} />}
      {calls.data && found.length === 0 && <Text size="sm" c="dimmed">There are no such calls yet.</Text>}
      <ul className={classes.calls}>
        {extra && of(extra) !== undefined && !found.some((call) => call.id === extra) && <Row id={extra} outcome={of(extra)} attempt={attempt} />}
        {found.map((call) => (
          <Row key={call.id} id={call.id} call={call} outcome={of(call.id)} attempt={unread ? undefined : attempt} />
        ))}
      </ul>
    </Stack>
  );
}

/** sumOf counts the verdicts so far. */
function sumOf(outcomes: (Outcome | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    if (outcome && "score" in outcome) counts.set(outcome.score.verdict, (counts.get(outcome.score.verdict) ?? 0) + 1);
  }
  return [...counts].map(([verdict, n]) => `${n} ${plain(verdict)}`).join(", ");
}

interface RowProps {
  id: string;
  call?: Call;
  outcome: Outcome | undefined;
  /** attempt tries the scorer on the call; undefined while the settings cannot be read. */
  attempt: ((id: string) => Promise<boolean>) | undefined;
}

function Row({ id, call, outcome, attempt }: RowProps) {
  const agents = useAgents().data?.data;
  return (
    <li className={classes.call}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Group gap="xs" miw={0}>
          <Go to="/calls/$id" params={{ id }}>
            {call ? <Time at={call.started_at ?? call.created_at} /> : id}
          </Go>
          {call && <Text span size="xs" c="dimmed" className="rt-words">{[nameOf(agents, call.agent_id), call.origin, duration(call.duration_ms)].join(" · ")}</Text>}
          {call && (
            <Text span size="xs" c="dimmed">
              call: {call.verdict ? plain(call.verdict) : "no verdict"}
            </Text>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          {outcome && "score" in outcome && <Verdict verdict={outcome.score.verdict} />}
          {/* It stays after it was pressed: a keyboard user has the focus on it, and may want to retry. */}
          {attempt && (
            <Button flex="none" size="compact-xs" variant="subtle" onClick={() => void attempt(id)} loading={outcome === null} aria-label={`Try on ${id}`}>
              Try
            </Button>
          )}
        </Group>
      </Group>
      {outcome && "error" in outcome && <ProblemBox error={outcome.error} />}
      {outcome && "score" in outcome && <Says id={id} score={outcome.score} />}
    </li>
  );
}

/** Says shows what the scorer said: the reason, the value, and the evidence. */
function Says({ id, score }: { id: string; score: Score }) {
  return (
    <div className={classes.says}>
      <div className="rt-words">
        {score.reason} {score.value != null && <span className={classes.value}>{figure(score.value, score.unit ?? "")}</span>}
      </div>
      {score.evidence.map((each, n) => (
        <div key={n} className="rt-words">
          <Go to="/calls/$id" params={{ id }} search={each.start_ms < 0 ? { turn: each.turn ?? undefined } : { t: each.start_ms / 1000 }}>
            {each.start_ms < 0 ? (each.turn === null ? "the call" : `turn ${each.turn}`) : duration(each.start_ms)}
          </Go>{" "}
          {each.quote && <q>{each.quote}</q>}
        </div>
      ))}
    </div>
  );
}
