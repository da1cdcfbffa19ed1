import { Tooltip } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed, IconCircleMinus, IconCircleX, IconClock } from "@tabler/icons-react";
import { settled, type Experiment } from "./figures";
import classes from "./passrate.module.css";
import { count } from "../../parts/format";

const Kinds = [
  { key: "passed", tone: "passed", label: "passed", icon: IconCircleCheck },
  { key: "failed", tone: "failed", label: "failed", icon: IconCircleX },
  { key: "void", tone: "void", label: "void: spoilt on Ringtrue's side, not counted", icon: IconCircleMinus },
  { key: "not_evaluated", tone: "open", label: "not evaluated", icon: IconCircleDashed },
] as const;

/** Counts shows the numbers of calls by verdict; void and not evaluated only where there are any. */
export function Counts({ counts }: { counts: Experiment["counts"] }) {
  const open = counts.calls - settled(counts);
  return (
    <span className={classes.counts}>
      {Kinds.map(({ key, tone, label, icon: Icon }) => {
        const n = counts[key];
        if (n === 0 && (key === "void" || key === "not_evaluated")) return null;
        return (
          <Tooltip key={key} label={`${count(n)} ${label}`}>
            <span className={classes.count} data-none={n === 0 ? "" : undefined} role="img" aria-label={`${count(n)} ${label}`}>
              <Icon size={14} aria-hidden color={n === 0 ? undefined : `var(--rt-${tone})`} />
              {count(n)}
            </span>
          </Tooltip>
        );
      })}
      {open > 0 && (
        <Tooltip label={`${count(open)} not settled yet, or canceled`}>
          <span className={classes.count} data-none="" role="img" aria-label={`${count(open)} not settled yet, or canceled`}>
            <IconClock size={14} aria-hidden />
            {count(open)}
          </span>
        </Tooltip>
      )}
    </span>
  );
}
