import { Copy } from "./copy";

/** JsonView shows a value as JSON, to be copied. */
export function JsonView({ value, height = 420, label = "JSON" }: { value: unknown; height?: number; label?: string }) {
  const text = JSON.stringify(value, null, 2) ?? "";
  return (
    <div style={{ position: "relative" }}>
      <div style={{ position: "absolute", right: 8, top: 8, zIndex: 1 }}>
        <Copy value={text} label="Copy as JSON" />
      </div>
      <div className="rt-panel" style={{ maxHeight: height, overflow: "auto" }} tabIndex={0} role="region" aria-label={label}>
        <pre className="rt-mono" style={{ margin: 0, padding: 12, fontSize: "0.75rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {text}
        </pre>
      </div>
    </div>
  );
}
