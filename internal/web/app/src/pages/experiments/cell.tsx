import { VisuallyHidden } from "@mantine/core";
import { duration, plain } from "../../parts/format";
import { RowLink } from "../../parts/rowlink";
import classes from "./matrix.module.css";
import type { CallOf } from "./results";
import { measure } from "./units";

/** MarkOf is what a scorer said about one call. */
interface MarkOf {
  call: CallOf;
  verdict: string | null;
  reason: string;
  /** at is where the evidence begins, ms since the answer; null when there is none. */
  at: number | null;
  value?: number | null;
  unit?: string | null;
}

const Signs: Record<string, string> = { passed: "✓", failed: "✕", void: "–", not_evaluated: "○" };

/** Most is how many marks a cell shows; of more, those that did not pass come first. */
const Most = 6;

/** Cell shows what a scorer said about the calls of a scenario: a mark for each, which leads to the second of its evidence. */
export function Cell({ scorer, marks }: { scorer: string; marks: MarkOf[] }) {
  if (marks.length === 0) return <VisuallyHidden>not checked</VisuallyHidden>;
  const order = marks.length > Most ? [...marks].sort((a, b) => Number(a.verdict === "passed") - Number(b.verdict === "passed")) : marks;
  const passed = marks.filter((mark) => mark.verdict === "passed").length;
  return (
    <span className={classes.cell}>
      {order.slice(0, Most).map((mark) => (
        <Sign key={mark.call.id} scorer={scorer} mark={mark} alone={marks.length === 1} />
      ))}
      {marks.length > 1 && (
        <span className={classes.many}>
          {passed}/{marks.length}
        </span>
      )}
    </span>
  );
}

function Sign({ scorer, mark, alone }: { scorer: string; mark: MarkOf; alone: boolean }) {
  const { call, verdict, at, value, unit } = mark;
  const word = verdict ? plain(verdict) : "open";
  const where = [alone ? "" : `repetition ${call.repetition}`, at == null ? "" : `at ${duration(at)}`].filter(Boolean).join(", ");
  const shown = alone && value != null && unit !== "ratio" ? measure(value, unit) : "";
  return (
    <RowLink
      to="/calls/$id" params={{ id: call.id }} search={at == null ? undefined : { t: Math.max(0, Math.floor(at / 100) / 10) }} className={classes[verdict ?? "open"] ?? classes["open"] ?? ""}
      label={[`${scorer}: ${word}`, where, shown].filter(Boolean).join(", ")} tip={`${word}${where && ` (${where})`}${mark.reason && `: ${mark.reason}`}`}
    >
      {(verdict && Signs[verdict]) ?? "·"}
      {shown && <small> {shown}</small>}
    </RowLink>
  );
}
