import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { checkName, duration, figure, plain } from "../../parts/format";
import { Verdict } from "../../parts/verdict";
import classes from "./call.module.css";
import { Felt } from "./columns";
import type { Detail, Feeling, Score } from "./types";

type Seek = (ms: number) => void;

const Order = ["failed", "void", "passed", "not_evaluated"];

/** Scores lists what each scorer said, failures first; quotes lead to their second. */
export function Scores({ call, seek }: { call: Detail; seek: Seek }) {
  const scores = [...call.scores].sort((a, b) => Order.indexOf(a.verdict) - Order.indexOf(b.verdict));
  return (
    <>
      {scores.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          No scorer has checked this call.
        </Text>
      )}
      {scores.map((score) => (
        <OneScore key={score.scorer_id} score={score} heard={call.audio !== null} seek={seek} />
      ))}
      {call.feeling && <HowItFelt feeling={call.feeling} turns={call.turns} seek={seek} />}
    </>
  );
}

function OneScore({ score, heard, seek }: { score: Score; heard: boolean; seek: Seek }) {
  // Evidence without words can only be listened to, which takes a recording.
  const shown = score.evidence.filter((e) => e.quote || heard);
  return (
    <div className={classes.score}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Verdict verdict={score.verdict} />
          {score.scorer_id.startsWith("sc_") ? (
            <Link to="/scorers" search={{ q: score.name }}>
              {score.name}
            </Link>
          ) : (
            <Text size="sm" fw={500}>
              {checkName(score.name)}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            version {score.version}
            {!score.required && " · for information"}
          </Text>
        </Group>
        {score.value !== null && <Text size="sm">{figure(score.value, unitWord(score.unit))}</Text>}
      </Group>
      <Text size="sm" mt={4} className="rt-words">
        {score.reason}
      </Text>
      {shown.map((e) => (
        <button type="button" key={`${e.start_ms} ${e.end_ms} ${e.turn}`} className={classes.quote} data-moment disabled={e.start_ms < 0} onClick={() => seek(e.start_ms)}>
          <span className={classes.aside}>{e.start_ms < 0 ? e.turn !== null && `turn ${e.turn}` : duration(e.start_ms)}</span> <bdi>{e.quote || "listen"}</bdi>
        </button>
      ))}
    </div>
  );
}

function HowItFelt({ feeling, turns, seek }: { feeling: Feeling; turns: Detail["turns"]; seek: Seek }) {
  const shown = feeling.upset_turn === null ? undefined : turns.find((turn) => turn.index === feeling.upset_turn);
  return (
    <div className={classes.score}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            The caller's feeling
          </Text>
          <Felt sentiment={feeling.sentiment} upset={feeling.upset} />
        </Group>
        <Text size="xs" c="dimmed">
          {figuresOf(feeling)}
        </Text>
      </Group>
      <Text size="sm" mt={4} className="rt-words">
        {feeling.reason}
      </Text>
      {shown && shown.start_ms >= 0 && (
        <button type="button" className={classes.quote} data-moment onClick={() => seek(shown.start_ms)}>
          <span className={classes.aside}>{duration(shown.start_ms)}</span> <bdi>{shown.text || "listen"}</bdi>
        </button>
      )}
      {feeling.judged && (
        <Text size="xs" c="dimmed" mt={4}>
          A language model says: {feeling.judged.upset ? "upset" : (feeling.judged.sentiment ?? "cannot tell")}. {feeling.judged.reason}
        </Text>
      )}
    </div>
  );
}

function figuresOf(feeling: Feeling): string {
  const parts: [string, number | null][] = [["valence", feeling.valence], ["worst", feeling.worst], ["change", feeling.change], ["frustration", feeling.frustration]];
  return parts.filter(([, value]) => value !== null).map(([name, value]) => `${name} ${figure(value)}`).join(" · ");
}

/** unitWord is a unit as it is written after a figure. */
export function unitWord(unit: string | null | undefined): string {
  const words: Record<string, string> = { ratio: "", count: "", wpm: "words/min", per_min: "/min" };
  return unit ? (words[unit] ?? plain(unit)) : "";
}
