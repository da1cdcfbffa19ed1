import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { count } from "../../parts/format";
import { Go } from "../../parts/go";
import { Time } from "../../parts/time";
import { Mark } from "../../parts/verdict";
import { around, callsOf, type Departure, distinct, reasonsOf, whoseCalls } from "./departures";
import { labelOf, valueText } from "./metrics";
import classes from "./now.module.css";
import { type Scope, useAgentNames } from "./scope";

/** Health are the verdicts on a whole agent or service, by tone and word. */
export const Health: Record<string, { tone: string; label: string }> = {
  ok: { tone: "passed", label: "healthy" },
  watch: { tone: "void", label: "watch" },
  bad: { tone: "failed", label: "not healthy" },
  unknown: { tone: "open", label: "too little history" },
};

const Most = 8; // departures that are told; all of them are on the page of anomalies

/** VerdictNow says how things are, and what departed from the usual: each departure leads to its course and to its calls. */
export function VerdictNow({ data, scope }: { data: Schemas["Overview"]; scope: Scope }) {
  const health = Health[data.verdict] ?? Health["unknown"]!;
  const departures = distinct(data.departures ?? []);
  return (
    <section className="rt-panel" aria-label="How it is now">
      <Group p="sm" gap="sm">
        <Mark {...health} />
        {departures.length === 0 && <Text size="sm">{data.sentences?.join(" ")}</Text>}
        <Text size="sm" c="dimmed">
          {count(data.now.calls)} {data.now.calls === 1 ? "call" : "calls"} in the last 24 hours{data.now.void > 0 && `, ${count(data.now.void)} of them void`}
          {data.pending > 0 && ` · ${data.pending >= 100 ? "100 and more" : data.pending} hours are being counted anew`}
        </Text>
      </Group>
      {departures.length > 0 && (
        <ul className={classes.list} aria-label="What departed from the usual">
          {departures.slice(0, Most).map((departure) => (
            <Told key={`${departure.metric} ${departure.agent_id} ${departure.dimension} ${departure.value} ${departure.start}`} departure={departure} />
          ))}
          {departures.length > Most && (
            <li className={classes.row}>
              <Link to="/monitor/anomalies" search={{ ...scope, last: "3d" }}>
                and {departures.length - Most} more
              </Link>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function Told({ departure: a }: { departure: Departure }) {
  const nameOf = useAgentNames();
  const calls = callsOf(a);
  const reasons = reasonsOf(a);
  return (
    <li className={classes.row}>
      <Link to="/monitor/trends" search={{ ...around(a), metric: a.metric }} title="How it went">
        {labelOf(a.metric)}
      </Link>
      <span className="rt-words">{whoseCalls(a, nameOf)}</span>
      <span>
        <span className={classes.seen}>{valueText(a.seen, a.unit)}</span> <Dim>usually {valueText(a.expected, a.unit)}</Dim>
      </span>
      <Dim>
        {a.open ? "since " : ""}
        <Time at={a.start} exact="brief" />
        {!a.open && (
          <>
            {" to "}
            <Time at={a.end} exact="brief" />
          </>
        )}
      </Dim>
      <span className={classes.leads}>
        {reasons && <Go {...reasons}>{reasons.label}</Go>}
        {calls ? <Go {...calls}>{count(a.n)} calls</Go> : <Dim>{count(a.n)} calls</Dim>}
      </span>
    </li>
  );
}

function Dim({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** Because is the worst reason for a verdict in a few words. */
export function Because({ departures, sentences }: { departures: Departure[]; sentences: string[] }) {
  const [first, ...others] = distinct(departures);
  if (!first) return <Dim>{sentences[0]}</Dim>;
  return (
    <>
      <Link to="/monitor/trends" search={{ ...around(first), metric: first.metric }}>
        {labelOf(first.metric)}
      </Link>{" "}
      {valueText(first.seen, first.unit)}, usually {valueText(first.expected, first.unit)}, since <Time at={first.start} exact="brief" />
      {others.length > 0 && (
        <Dim>
          {" "}
          and {others.length} more
        </Dim>
      )}
    </>
  );
}
