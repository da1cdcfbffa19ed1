import { IconAlertTriangle, IconFlag, IconHash, IconPhoneOff, IconPoint, IconTool, IconVolumeOff } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { checkName, duration, plain, short, Unknown } from "../../parts/format";
import classes from "./call.module.css";
import { Felt } from "./columns";
import { type Entry, paceOf, type Tool } from "./story";
import type { Turn } from "./types";

interface LineProps {
  entry: Entry;
  current: boolean;
  query: string;
  seek: (ms: number) => void;
}

/** Line is one line of the transcript. It is memoised, for many are on the screen while one scrolls or listens. */
export const Line = memo(function Line({ entry, current, query, seek }: LineProps) {
  const { at } = entry;
  const time =
    at === null ? <span className={classes.aside}>{Unknown}</span> : (
      <button type="button" className={classes.time} data-moment aria-label={`Go to ${duration(at)}`} onClick={() => seek(at)}>
        {duration(at)}
      </button>
    );
  return (
    <div className={classes.line} data-current={current ? "" : undefined} aria-current={current || undefined} data-side={entry.kind === "turn" ? entry.turn.speaker : undefined}>
      {time}
      {entry.kind === "turn" ? <Said entry={entry} query={query} go={() => at !== null && seek(at)} /> : <Aside entry={entry} query={query} />}
    </div>
  );
});

function Said({ entry, query, go }: { entry: Extract<Entry, { kind: "turn" }>; query: string; go: () => void }) {
  const { turn, latency, findings } = entry;
  const pace = latency === null ? undefined : paceOf(latency);
  return (
    <>
      <span className={classes.who}>{turn.by ? plain(turn.by) : turn.speaker}</span>
      <div>
        {/* Keyboard users press the time beside it. */}
        <div className={classes.words} onClick={() => !window.getSelection()?.toString() && go()}>
          {turn.text ? <Found text={turn.text} query={query} /> : <em className={classes.aside}>no words</em>}
        </div>
        <div className={classes.meta}>
          {latency !== null && (
            <span className={pace && classes.warn}>
              {latency < 0 ? `began ${short(-latency)} too early` : `answered after ${short(latency)}`}
              {pace && latency >= 0 && `, ${pace}`}
            </span>
          )}
          {turn.manner && <span>{turn.manner === "interrupt" ? "interrupts" : turn.manner}</span>}
          <Feeling turn={turn} />
          {findings.map((finding) => (
            <span key={`${finding.score.scorer_id} ${finding.start}`} style={{ color: "var(--rt-failed)" }}>
              <IconAlertTriangle size={12} aria-hidden /> {checkName(finding.score.name)}
            </span>
          ))}
        </div>
      </div>
    </>
  );
}

function Feeling({ turn }: { turn: Turn }) {
  const felt = turn.feeling;
  if (!felt) return null;
  const emotions = Object.entries(felt.emotions).filter(([name, p]) => p >= 0.5 && name !== "neutral").sort((a, b) => b[1] - a[1]).slice(0, 2);
  return (
    <>
      {felt.sentiment && felt.sentiment !== "neutral" && <Felt sentiment={felt.sentiment} />}
      {emotions.map(([name]) => (
        <span key={name}>{name}</span>
      ))}
      {felt.frustration >= 0.3 && <span className={classes.warn}>frustration {felt.frustration.toFixed(2)}</span>}
      {felt.signs.map((sign) => (
        <span key={sign}>{plain(sign)}</span>
      ))}
    </>
  );
}

const Icons = { digit: IconHash, stage: IconFlag, hang_up: IconPhoneOff, event: IconPoint };

function Aside({ entry, query }: { entry: Exclude<Entry, { kind: "turn" }>; query: string }) {
  if (entry.kind === "tool") return <Called tool={entry.tool} query={query} />;
  const Icon = entry.kind === "silence" ? IconVolumeOff : Icons[entry.icon];
  const label: Record<string, string> = { stage: "stage", digit: "key" };
  return (
    <>
      <span className={classes.aside}>
        <Icon size={14} aria-hidden /> {entry.kind === "note" ? label[entry.icon] : ""}
      </span>
      <span className={classes.aside}>{entry.kind === "silence" ? `dead air, ${short((entry.end ?? 0) - (entry.at ?? 0))}` : <Found text={entry.text} query={query} />}</span>
    </>
  );
}

function Called({ tool, query }: { tool: Tool; query: string }) {
  return (
    <>
      <span className={classes.aside}>
        <IconTool size={14} aria-hidden /> tool
      </span>
      <details>
        <summary className={`rt-mono ${classes.tool}`}>
          <Found text={tool.name} query={query} />
          {tool.failed && <span style={{ color: "var(--rt-failed)" }}> failed</span>}
        </summary>
        <pre className={classes.pre} tabIndex={0}>{tidy(tool.args)}</pre>
        {tool.result !== null && <pre className={classes.pre} tabIndex={0} style={{ marginTop: 4 }}>{tidy(tool.result)}</pre>}
      </details>
    </>
  );
}

/** tidy writes JSON on several lines, and anything else as it is. */
function tidy(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Found marks the places where a text contains the query. */
function Found({ text, query }: { text: string; query: string }): ReactNode {
  if (query === "") return text;
  const parts: ReactNode[] = [];
  const [low, wanted] = [text.toLowerCase(), query.toLowerCase()];
  let from = 0;
  // In some scripts the lower case of a letter is two: then offsets would be wrong, and nothing is marked.
  if (low.length !== text.length) return text;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
