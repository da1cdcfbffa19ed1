import { IconCircleCheck, IconCircleDashed, IconCircleMinus, IconCircleX, IconClock, IconLoader2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { plain } from "./format";
import classes from "./verdict.module.css";

const Verdicts: Record<string, { tone: string; icon: ReactNode; label: string }> = {
  passed: { tone: "passed", icon: <IconCircleCheck size={14} aria-hidden />, label: "passed" },
  failed: { tone: "failed", icon: <IconCircleX size={14} aria-hidden />, label: "failed" },
  void: { tone: "void", icon: <IconCircleMinus size={14} aria-hidden />, label: "void" },
  not_evaluated: { tone: "open", icon: <IconCircleDashed size={14} aria-hidden />, label: "not evaluated" },
};

/** Verdict shows a verdict by icon, colour and word; null is a call that has none yet. */
export function Verdict({ verdict, title }: { verdict: string | null | undefined; title?: string }) {
  if (!verdict) return <Mark tone="open" label="no verdict yet" icon={<IconClock size={14} aria-hidden />} title={title} />;
  const known = Verdicts[verdict] ?? { tone: "open", icon: null, label: plain(verdict) };
  return <Mark {...known} title={title} />;
}

const Tones: Record<string, string> = {
  QUEUED: "open", CREATED: "open", DIALING: "running", IN_PROGRESS: "running", RUNNING: "running", SCORING: "running", PENDING: "open",
  ENDED: "passed", FINISHED: "passed", SCORED: "passed", FAILED: "failed", SCORING_FAILED: "failed", CANCELED: "void", SKIPPED: "open",
};

/** Status shows the state of an experiment or a call. */
export function Status({ status }: { status: string }) {
  const tone = Tones[status] ?? "open";
  const moving = tone === "running";
  return <Mark tone={tone} label={plain(status.toLowerCase())} icon={moving ? <IconLoader2 size={14} className={classes.turning} aria-hidden /> : null} />;
}

/** Outcome is the verdict on a call or an experiment, and how far it has come while there is none. */
export function Outcome({ verdict, reason, status }: { verdict: string | null | undefined; reason?: string; status: string }) {
  return verdict ? <Verdict verdict={verdict} title={reason} /> : <Status status={status} />;
}

/** CallOutcome is the same of a call: once that has ended, its review is what goes on. */
export function CallOutcome({ call }: { call: Pick<Schemas["CallSummary"], "verdict" | "verdict_reason" | "status" | "scoring_status"> }) {
  return <Outcome verdict={call.verdict} reason={call.verdict_reason} status={call.status === "ENDED" ? call.scoring_status : call.status} />;
}

type HealthVerdict = Schemas["Overview"]["verdict"];

const Healths: Record<HealthVerdict, { tone: string; label: string }> = {
  ok: { tone: "passed", label: "healthy" },
  watch: { tone: "void", label: "watch" },
  bad: { tone: "failed", label: "not healthy" },
  unknown: { tone: "open", label: "too little history" },
};

/** Health says how an agent, or all calls together, are doing in production. */
export function Health({ verdict, title }: { verdict: HealthVerdict; title?: string }) {
  return <Mark {...Healths[verdict]} title={title} />;
}

/** Mark is a small coloured word. */
export function Mark({ tone, label, icon, title }: { tone: string; label: string; icon?: ReactNode; title?: string }) {
  return (
    <span className={classes.mark} title={title} style={{ color: `var(--rt-${tone})`, background: `var(--rt-${tone}-soft)` }}>
      {icon}
      {label}
    </span>
  );
}
