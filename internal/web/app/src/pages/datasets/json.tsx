import type { Fault } from "./draft";
import classes from "./editor.module.css";

interface JsonEditorProps {
  text: string;
  change: (text: string) => void;
  faults: Fault[];
  readOnly: boolean;
}

/** JsonEditor is a text field with numbered lines. Lines with problems are marked; what is wrong is in their tooltip. */
export function JsonEditor({ text, change, faults, readOnly }: JsonEditorProps) {
  const lines = text.split("\n");
  const wrong = new Map<number, string>();
  for (const fault of faults) wrong.set(fault.line, [wrong.get(fault.line), `${fault.place} ${fault.message}`].filter(Boolean).join("\n"));
  return (
    <div className={`rt-panel ${classes.json}`}>
      <div className={classes.lines} aria-hidden>
        {lines.map((_, n) => (
          <div key={n} data-wrong={wrong.has(n + 1) || undefined} title={wrong.get(n + 1)}>
            {wrong.has(n + 1) ? `✕ ${n + 1}` : n + 1}
          </div>
        ))}
      </div>
      <textarea
        aria-label="The scenario as JSON" spellCheck={false} value={text} readOnly={readOnly} rows={lines.length + 1} cols={Math.max(20, ...lines.map((line) => line.length + 1))}
        aria-invalid={faults.length > 0 || undefined} onChange={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}
