import { Text, Tooltip } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { count, percent, Unknown } from "../../parts/format";
import { shift as write } from "./units";

/** Shift shows a difference with its 95 % interval, and how sure it is in the tooltip. */
export function Shift({ shift, unit }: { shift: Schemas["Shift"]; unit: string }) {
  if (shift.value == null) {
    return (
      <Text size="sm" c="dimmed" span>
        –
      </Text>
    );
  }
  const chance = shift.q < 0.001 ? "below 0.1 %" : `${(100 * shift.q).toFixed(1)} %`;
  return (
    <Tooltip label={`${shift.reason ? `${shift.reason}; ` : ""}chance of seeing this if nothing has changed: ${chance}`} multiline maw={360}>
      {/* Where there is no room for both, the interval stands below the value. */}
      <span>
        <span style={{ whiteSpace: "nowrap" }}>{write(shift.value, unit)}</span>{" "}
        {shift.low != null && shift.high != null && (
          <Text size="xs" c="dimmed" span style={{ whiteSpace: "nowrap" }}>
            {write(shift.low, unit)} to {write(shift.high, unit)}
          </Text>
        )}
      </span>
    </Tooltip>
  );
}

/** RateShift shows the difference of two pass rates. Where it covers fewer calls than the rates shown beside it, it names its own two rates. */
export function RateShift({ rate: { difference, both } }: { rate: Pick<Schemas["RateCompared"], "difference" | "both"> }) {
  return (
    <>
      <Shift shift={difference} unit="ratio" />
      {both && (
        <Text size="xs" c="dimmed">
          {share(both.base)}, then {share(both.with)}, in the {both.scenarios === 1 ? "one scenario" : `${count(both.scenarios)} scenarios`} that both have
        </Text>
      )}
    </>
  );
}

const share = ({ value }: Schemas["PassRate"]) => (value == null ? Unknown : percent(value));
