import { Text } from "@mantine/core";
import { useMemo } from "react";
import classes from "./diff.module.css";
import { type DiffLine, hunksOf, lineDiff } from "./linediff";

const Signs: Record<DiffLine["kind"], string> = { same: "  ", old: "− ", new: "+ " };

/** Diff shows what has changed between two texts, line by line. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  const hunks = useMemo(() => hunksOf(lineDiff(before, after)), [before, after]);
  if (before === after) return <Text size="sm" c="dimmed">There is no difference.</Text>;
  return (
    <div className={`rt-panel ${classes.frame}`} role="region" aria-label={label} tabIndex={0}>
      {hunks.map((hunk, n) =>
        "hidden" in hunk ? (
          <div key={n} className={classes.hidden}>
            {hunk.hidden === 1 ? "1 unchanged line" : `${hunk.hidden} unchanged lines`}
          </div>
        ) : (
          hunk.lines.map((line, m) => (
            <div key={`${n} ${m}`} className={classes.line} data-kind={line.kind}>
              {Signs[line.kind]}
              {line.kind !== "same" && <span className={classes.unseen}>{line.kind === "old" ? "removed: " : "added: "}</span>}
              {line.text}
            </div>
          ))
        ),
      )}
    </div>
  );
}
