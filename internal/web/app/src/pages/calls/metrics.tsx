import { Text } from "@mantine/core";
import { figure, plain, short } from "../../parts/format";
import classes from "./call.module.css";
import { unitWord } from "./scores";
import type { Detail } from "./types";

interface About {
  unit: string;
  says: string;
}

/** Groups are the metrics of the service, with their units and meanings. What docs/metrics adds must be added here, or it is listed under Other. */
const Groups: [string, Record<string, About>][] = [
  ["Timing", {
    time_to_first_word: { unit: "s", says: "from the answer to the agent's first speech" },
    turn_latency: { unit: "s", says: "from the end of the caller's speech to the agent's, per turn" },
    turn_latency_tool: { unit: "s", says: "the same for turns with a tool call in between" },
    turn_taking: { unit: "ratio", says: "how well the agent takes its turns, 0 to 1" },
    dead_air_count: { unit: "count", says: "silences of more than 2 s on both sides" },
    dead_air_total: { unit: "s", says: "their total length" },
    dead_air_longest: { unit: "s", says: "the longest of them" },
  }],
  ["Interruptions", {
    agent_interruptions: { unit: "count", says: "times the agent began inside the caller's speech" },
    overlap_seconds: { unit: "s", says: "time when both spoke" },
    overlap_ratio: { unit: "ratio", says: "its share of all speaking time" },
    yield_time: { unit: "s", says: "how long the agent keeps talking when it is interrupted" },
    barge_in_success: { unit: "count", says: "interruptions for which the agent stopped in time" },
    missed_barge_in: { unit: "count", says: "interruptions for which it did not" },
    false_barge_in: { unit: "count", says: "times it stopped for a mere “mm-hm”" },
    backchannel_selectivity: { unit: "count", says: "backchannels it rightly ignored" },
    backchannel_errors: { unit: "count", says: "backchannels it stopped for or answered" },
  }],
  ["Talking", {
    talk_ratio: { unit: "ratio", says: "the agent's share of all speech" },
    longest_monologue: { unit: "s", says: "the agent's longest turn" },
    words_per_minute: { unit: "wpm", says: "how fast the agent speaks" },
  }],
  ["Line and sound", {
    packets_sent: { unit: "count", says: "RTP packets we sent" },
    packets_received: { unit: "count", says: "RTP packets that arrived" },
    packets_lost: { unit: "count", says: "those that never arrived" },
    packets_late: { unit: "count", says: "those that arrived too late to be used" },
    packets_duplicate: { unit: "count", says: "those that arrived twice" },
    loss: { unit: "ratio", says: "lost over expected" },
    jitter: { unit: "s", says: "interarrival jitter at the end of the call" },
    jitter_max: { unit: "s", says: "the highest jitter" },
    round_trip: { unit: "s", says: "round-trip time from RTCP" },
    longest_gap: { unit: "s", says: "the longest time without a packet" },
    r_factor: { unit: "R", says: "transmission rating of the E-model" },
    mos: { unit: "MOS", says: "estimated mean opinion score" },
    level: { unit: "dBFS", says: "how loud the agent speaks" },
    clipping: { unit: "ratio", says: "share of the agent's samples at the top of the range" },
    snr: { unit: "dB", says: "the agent's speech compared with its noise" },
    dropouts: { unit: "count", says: "gaps in the agent's speech" },
    dropouts_per_minute: { unit: "per_min", says: "the same per minute of the agent's speech" },
  }],
];

interface Spread {
  n: number;
  p50: number | null;
  p95: number | null;
  min: number | null;
  max: number | null;
}

/** Metrics lists what was measured, and why other metrics were not. */
export function Metrics({ call }: { call: Detail }) {
  const known = new Set(Groups.flatMap(([, metrics]) => Object.keys(metrics)));
  const others = Object.fromEntries(Object.keys(call.metrics).filter((name) => !known.has(name)).map((name) => [name, { unit: "", says: "" }]));
  const groups = [...Groups, ["Other", others] as [string, Record<string, About>]];
  if (Object.keys(call.metrics).length === 0) {
    return (
      <Text size="sm" c="dimmed" p="sm">
        Nothing has been measured in this call.
      </Text>
    );
  }
  return (
    <div style={{ padding: "4px 12px 12px" }}>
      {groups.map(([title, metrics]) => {
        const names = Object.keys(metrics).filter((name) => name in call.metrics);
        if (names.length === 0) return null;
        return (
          <table key={title} className={classes.facts}>
            <caption>{title}</caption>
            <tbody>
              {names.map((name) => (
                <tr key={name}>
                  <th scope="row" title={name} style={{ width: "46%" }}>
                    {plain(name)}
                    <Text size="xs" c="dimmed">
                      {metrics[name]?.says}
                    </Text>
                  </th>
                  <td>
                    <Value name={name} unit={metrics[name]?.unit ?? ""} call={call} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}

function Value({ name, unit, call }: { name: string; unit: string; call: Detail }) {
  const value = call.metrics[name];
  if (name === "mos" && typeof value === "number" && value < 3.5) return <span className={classes.warn}>{written(value, unit)}, too low</span>;
  if (typeof value === "number") return <>{written(value, unit)}</>;
  if (isSpread(value)) {
    return (
      <>
        {written(value.p50, unit)} <span className={classes.aside}>p50</span>
        <div className={classes.aside}>
          p95 {written(value.p95, unit)} · {written(value.min, unit)} to {written(value.max, unit)} · n {value.n}
        </div>
      </>
    );
  }
  return <span className={classes.aside}>not evaluated: {call.metrics_not_evaluated[name] || "no reason given"}</span>;
}

/** isSpread tells a metric that has many values in a call, as one for each turn, from one that has one. */
export function isSpread(value: unknown): value is Spread {
  return typeof value === "object" && value !== null && "p50" in value;
}

/** written writes a figure with its unit, and seconds as short does. */
export function written(value: number | null, unit: string): string {
  return unit === "s" && value !== null ? short(value * 1000) : figure(value, unitWord(unit));
}
