import { CloseButton, Group, NativeSelect, SegmentedControl, Text, VisuallyHidden } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AgentChoice } from "../../parts/agentchoice";
import { moment } from "../../parts/format";
import { dimensionName } from "../../parts/departures";
import { type Scope, type Span, Spans } from "./scope";

const SpanNames: Record<Span, string> = { "1d": "24 h", "3d": "3 days", "7d": "7 days", "28d": "28 days", "90d": "90 days" };

interface ScopeBarProps {
  scope: Scope;
  spans?: Span[];
  /** usual is the length of time that the page shows when its address names none. */
  usual?: Span;
  /** still leaves out the time, for the page that always shows the present. */
  still?: boolean;
  children?: ReactNode;
}

/** ScopeBar changes the scope of a page of monitoring. */
export function ScopeBar({ scope, spans, usual = "7d", children, still }: ScopeBarProps) {
  const navigate = useNavigate();
  const change = (part: Partial<Scope>) => void navigate({ to: ".", search: (before: Record<string, unknown>) => ({ ...before, ...part }), replace: true } as never);
  const fixed = scope.from !== undefined;
  return (
    <Group gap="xs" role="search" aria-label="Filter calls">
      <AgentChoice value={scope.agent} choose={(agent) => change({ agent })} all="All agents" />
      <NativeSelect
        aria-label="Origin"
        value={scope.origin ?? ""}
        onChange={(event) => change({ origin: event.currentTarget.value === "simulated" ? "simulated" : undefined })}
        data={[{ value: "", label: "Production" }, { value: "simulated", label: "Simulated" }]}
      />
      {!still && !fixed && (
        <>
          <VisuallyHidden id="span">Time</VisuallyHidden>
          <SegmentedControl
            aria-labelledby="span"
            size="xs"
            value={scope.last ?? usual}
            onChange={(last) => change({ last: last === usual ? undefined : (last as Span) })}
            data={(spans ?? (Object.keys(Spans) as Span[])).map((value) => ({ value, label: SpanNames[value] }))}
          />
        </>
      )}
      {!still && fixed && (
        <Chip label={`${moment(scope.from)} – ${moment(scope.until)}`} clear={() => change({ from: undefined, until: undefined })} name="Back to the latest" />
      )}
      {scope.dim && <Chip label={`${dimensionName(scope.dim)}: ${scope.value}`} clear={() => change({ dim: undefined, value: undefined })} name="Show all values" />}
      {children}
    </Group>
  );
}

/** toBar gives the focus of what will be gone, when it has widened the page, to the first field of the bar: otherwise a keyboard user would be back at the top of the page. */
export function toBar() {
  document.querySelector<HTMLElement>("[role=search] select")?.focus();
}

/** Chip is something that the page is narrowed to, until it is cleared. */
function Chip({ label, name, clear }: { label: string; name: string; clear: () => void }) {
  const widen = () => {
    toBar();
    clear();
  };
  return (
    <Group gap={2} px={8} className="rt-panel" wrap="nowrap">
      <Text size="sm">{label}</Text>
      <CloseButton size="sm" aria-label={name} onClick={widen} />
    </Group>
  );
}
