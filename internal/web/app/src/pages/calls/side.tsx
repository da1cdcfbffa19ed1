import { Alert, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/client";
import { Copy } from "../../parts/copy";
import { count, figure, plain, short } from "../../parts/format";
import { JsonView } from "../../parts/json";
import { ProblemBox } from "../../parts/problem";
import { Time } from "../../parts/time";
import classes from "./call.module.css";
import { Facts } from "./facts";
import { pairOf } from "./filter";
import { isSpread, written } from "./metrics";
import type { Attempt, Detail } from "./types";

const Padding = { padding: "4px 12px 12px" };

/** LinePanel shows how well the line carried the call, by attempt. */
export function LinePanel({ call }: { call: Detail }) {
  const { attempts } = call;
  return (
    <div style={Padding}>
      {attempts.length === 0 && (
        <Text size="sm" c="dimmed" py="xs">
          {call.origin === "production" ? "A production call runs on its platform's line, which is not measured here." : "The call has not been placed yet."}
        </Text>
      )}
      {attempts.map((attempt) => (
        <OneAttempt key={attempt.id} attempt={attempt} of={attempts.length} />
      ))}
    </div>
  );
}

function OneAttempt({ attempt, of }: { attempt: Attempt; of: number }) {
  const { stats, end_reason: end } = attempt;
  const loss = stats.received + stats.lost > 0 ? stats.lost / (stats.received + stats.lost) : null;
  const warn = (bad: boolean, text: string) => (bad ? <span className={classes.warn}>{text}, too high</span> : text);
  return (
    <Facts
      title={of > 1 ? `Attempt ${attempt.number} of ${of}` : "The line"}
      rows={[
        ["Started", <Time key="began" at={attempt.started_at} exact />],
        ["Answered after", attempt.answered_at !== null ? short(attempt.answered_at - attempt.started_at) : "never answered"],
        ["Ended", end.code ? [plain(end.code), end.blame, end.detail].filter(Boolean).join(" · ") : null],
        ["Codec", attempt.codec],
        ["Packets", `${count(stats.received)} received, ${count(stats.sent)} sent`],
        ["Lost", loss === null ? null : warn(loss > 0.03, `${count(stats.lost)} (${figure(loss * 100)} %)`)],
        ["Late, duplicate, out of order", [stats.late, stats.duplicate, stats.misordered].map(count).join(", ")],
        ["Jitter", warn(stats.jitter_ms > 30, `${figure(stats.jitter_ms)} ms, at most ${figure(stats.jitter_max_ms)} ms`)],
        ["Round trip", stats.round_trip_ms > 0 ? warn(stats.round_trip_ms > 400, `${figure(stats.round_trip_ms)} ms`) : "not reported by the far end"],
        ["Longest gap", `${figure(stats.longest_gap_ms)} ms`],
        ["Our packets lost at the far end", stats.remote_lost >= 0 ? count(stats.remote_lost) : "not reported"],
        ["Our packets sent late, not sent", [stats.send_late, stats.send_missed].map(count).join(", ")],
        ["Id on the line", attempt.line_ref && <Named value={attempt.line_ref} />],
      ]}
    />
  );
}

function Named({ value }: { value: string }) {
  return (
    <span className="rt-mono">
      {value} <Copy value={value} />
    </span>
  );
}

/** PlatformPanel shows what the client's platform reported of the call, its latencies beside the measured ones. */
export function PlatformPanel({ call }: { call: Detail }) {
  const told = call.reported;
  if (!told) {
    return (
      <Text size="sm" c="dimmed" p="sm">
        No platform has sent a record of this call.
      </Text>
    );
  }
  const words = Object.keys(told.words).length > 0;
  return (
    <div style={Padding}>
      <Facts
        title="Reported by the platform"
        rows={[
          ["Platform", plain(told.provider)], ["Agent on the platform", [told.agent_name, told.agent_version].filter(Boolean).join(", version ")],
          ["Agent id on the platform", told.platform_agent_id && <Named value={told.platform_agent_id} />], ["Model", told.model], ["Prompt", told.prompt],
          ["Medium", [told.medium, told.direction].filter(Boolean).join(", ")], ["Outcome", told.outcome],
          ["Successful", told.successful === null ? null : told.successful ? "yes" : "no"], ["Voicemail", told.voicemail === null ? null : told.voicemail ? "yes" : "no"],
          ["Sentiment", told.sentiment], ["Caller interrupted", told.caller_interrupted], ["Agent interrupted", told.agent_interrupted],
          ["Cost", told.cost_usd === null ? null : `${figure(told.cost_usd)} USD`], ["Summary", told.summary],
        ]}
      />
      <Latencies call={call} />
      {words && (
        <details style={{ marginTop: 10 }}>
          <summary>As the platform sent it</summary>
          <JsonView value={told.words} height={260} />
        </details>
      )}
    </div>
  );
}

/** insteadOf writes a latency; where it was not reported, the figure that was, by its name: a mean is no median. */
function insteadOf(value: number | null, other: number | null, name: string): string {
  return value === null && other !== null ? `${name} ${written(other, "s")}` : written(value, "s");
}

/** Latencies shows the latencies that the platform reported beside the measured ones. */
export function Latencies({ call }: { call: Pick<Detail, "metrics" | "reported"> }) {
  const told = Object.entries(call.reported?.latency ?? {});
  const measured = call.metrics["turn_latency"];
  if (told.length === 0) return null;
  const row = (name: string, n: number, p50: string, p95: string) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      <td className="rt-num">{p50}</td>
      <td className="rt-num">{p95}</td>
      <td className="rt-num">{count(n || null)}</td>
    </tr>
  );
  return (
    <table className={classes.facts}>
      <caption>Latency, measured and reported</caption>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          {["p50", "p95", "n"].map((name) => (
            <th key={name} scope="col" style={{ textAlign: "right", paddingRight: 0 }}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {isSpread(measured) && row("turn, measured", measured.n, written(measured.p50, "s"), written(measured.p95, "s"))}
        {told.map(([name, l]) => row(`${name}, reported`, l.n, insteadOf(l.p50, l.mean, "mean"), insteadOf(l.p95, l.max, "longest")))}
      </tbody>
    </table>
  );
}

/** DetailsPanel shows the ids, numbers and times of the call, its metadata, and the engines of its review. */
export function DetailsPanel({ call }: { call: Detail }) {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const audio = call.audio;
  return (
    <div style={Padding}>
      <Facts
        title="The call"
        rows={[
          ["Id", <Named key="id" value={call.id} />], ["Id on the platform", call.external_id && <Named value={call.external_id} />],
          ["Origin", call.origin], ["Line", call.line], ["From", call.from_number], ["To", call.to_number], ["Room", call.room_name],
          ["Created", <Time key="created" at={call.created_at} exact />], ["Started", call.started_at && <Time at={call.started_at} exact />],
          ["Answered", call.answered_at && <Time at={call.answered_at} exact />], ["Ended", call.ended_at && <Time at={call.ended_at} exact />],
          ["Scenario", call.dataset_item_id && <Named value={call.dataset_item_id} />], ["Repetition", call.repetition || null],
          ["Recording", audio && `${(audio.bytes / 1e6).toFixed(1)} MB, ${audio.rate / 1000} kHz${audio.mixed ? ", both sides mixed" : ""}`],
          ["Who is on which channel", audio?.roles && `${{ told: "told by the platform", transcript: "matched to the transcript", greeting: "the called side speaks first", assumed: "assumed" }[audio.roles]} (${figure(audio.sure * 100)} % sure)`],
        ]}
      />
      <Facts title="Metadata" rows={Object.entries(call.metadata).map(([name, value]) => [name.trim() === "" ? `“${name}”` : name, <Meta key={name} name={name} value={text(value)} />])} />
      <Facts title="Engines" rows={Object.entries({ ...call.engines, ...call.feeling?.engines })} />
      {call.self_test_grade && (
        <Alert role="note" color="yellow" variant="light" mt="sm" title="Self-test grade" styles={{ title: { color: "var(--rt-void)" } }}>
          <Text size="sm">The recogniser that transcribed this call is good enough for synthetic voices only. For real callers use a speech service: start Ringtrue with --stt openai and the service's address.</Text>
        </Alert>
      )}
    </div>
  );
}

const LongestKey = 256; // bytes; the service finds calls by no longer ones

function Meta({ name, value }: { name: string; value: string }) {
  if (name === "" || new TextEncoder().encode(name).length > LongestKey) return value;
  return (
    <Link to="/calls" search={{ meta: [pairOf(name, value)] }} title="Calls with this value">
      {value}
    </Link>
  );
}

/** RawPanel shows the call as the API returns it, and what the records that were submitted for it say together. */
export function RawPanel({ call }: { call: Detail }) {
  const wanted = call.origin === "production" || call.reported !== null;
  const { data, error, isLoading } = queries.useQuery("get", "/v2/call-logs/{id}", { params: { path: { id: call.id } } }, { enabled: wanted });
  return (
    <div style={{ padding: 12 }}>
      {wanted && (
        <>
          <Text size="sm" fw={600} mb={4}>
            All records of this call combined
          </Text>
          {error != null && <ProblemBox error={error} />}
          {isLoading && <Text size="sm">Loading…</Text>}
          {data && <JsonView value={data} height={360} label="All records of this call combined" />}
        </>
      )}
      <Text size="sm" fw={600} mt={wanted ? "md" : 0} mb={4}>
        The call as the API returns it
      </Text>
      <JsonView value={call} height={360} label="The call as the API returns it" />
    </div>
  );
}
