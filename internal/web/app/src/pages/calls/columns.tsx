import { IconMoodAngry, IconMoodSad, IconMoodNeutral, IconMoodSmile } from "@tabler/icons-react";
import { duration, plain, short, Unknown } from "../../parts/format";
import { RowLink } from "../../parts/rowlink";
import type { Column } from "../../parts/table";
import { Tick } from "../../parts/tick";
import { Time } from "../../parts/time";
import { CallOutcome } from "../../parts/verdict";
import classes from "./list.module.css";
import type { Call } from "./types";
import { whyFailing } from "./failing";

interface Choosing {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** all chooses every call that is shown, or none if they all are. */
  all: () => void;
  some: boolean;
  every: boolean;
}

/** columnsOf are the columns of the list. The verdict comes early, where a narrow screen still shows it; in a list of failing calls it comes with the reason. */
export function columnsOf(agentName: (id: string) => string, choosing: Choosing | null, failing: boolean): Column<Call>[] {
  return [
    ...(choosing ? [boxes(choosing)] : []),
    {
      key: "when", header: "When", width: 118,
      cell: (call) => (
        <RowLink to="/calls/$id" params={{ id: call.id }}>
          <Time at={call.started_at ?? call.created_at} />
        </RowLink>
      ),
    },
    failing
      ? { key: "verdict", header: "Verdict and reason", cell: (call) => <OutcomeAndWhy call={call} /> }
      : { key: "verdict", header: "Verdict", cell: (call) => <CallOutcome call={call} /> },
    { key: "agent", header: "Agent", cell: (call) => <span dir="auto" className={`rt-clip ${classes.agent}`}>{call.agent_id ? agentName(call.agent_id) : Unknown}</span> },
    { key: "origin", header: "Origin", cell: (call) => call.origin },
    { key: "end", header: "Ended", cell: (call) => <End call={call} /> },
    { key: "duration", header: "Duration", numeric: true, cell: (call) => duration(call.duration_ms) },
    { key: "feeling", header: "Caller", cell: (call) => <Felt sentiment={call.caller_sentiment} upset={call.caller_upset} /> },
    { key: "latency", header: "Latency p50", numeric: true, cell: (call) => short(call.turn_latency_ms) },
    { key: "numbers", header: "Number or room", cell: (call) => <span className="rt-mono">{(call.origin === "simulated" ? call.to_number : call.from_number) ?? call.room_name ?? Unknown}</span> },
  ];
}

/** OutcomeAndWhy is the verdict of a failing call, and below it why the call counts as failing. */
function OutcomeAndWhy({ call }: { call: Call }) {
  const why = whyFailing(call);
  return (
    <div className={classes.outcome}>
      <CallOutcome call={call} />
      <div className={classes.why} title={why}>
        {why}
      </div>
    </div>
  );
}

function boxes({ chosen, toggle, all, some, every }: Choosing): Column<Call> {
  return {
    key: "choose", width: 34,
    header: <Tick label="Choose all calls shown" checked={every} some={some && !every} change={all} />,
    cell: (call) => <Tick label={`Choose ${call.id}`} checked={chosen.has(call.id)} change={() => toggle(call.id)} />,
  };
}

function End({ call }: { call: Call }) {
  const { code, blame, detail } = call.end_reason;
  if (!code) return <>{Unknown}</>;
  return (
    <span title={detail ?? undefined} style={{ whiteSpace: "nowrap" }}>
      {plain(code)}
      {blame && blame !== "nobody" && blame !== "unknown" && <span className={classes.blame}> · {blame}</span>}
    </span>
  );
}

const Faces = { negative: IconMoodSad, neutral: IconMoodNeutral, positive: IconMoodSmile };

/** Felt shows how a caller felt, by icon and word. */
export function Felt({ sentiment, upset }: { sentiment: Call["caller_sentiment"] | undefined; upset?: boolean }) {
  if (!sentiment && !upset) return <>{Unknown}</>;
  const Face = upset ? IconMoodAngry : Faces[sentiment ?? "neutral"];
  return (
    <span className={classes.feeling} style={{ color: upset ? "var(--rt-failed)" : undefined }}>
      <Face size={15} aria-hidden />
      {upset ? "upset" : sentiment}
    </span>
  );
}
