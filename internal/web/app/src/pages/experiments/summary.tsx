import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { count, duration, money, percent, Unknown } from "../../parts/format";
import { Go } from "../../parts/go";
import { Time } from "../../parts/time";
import { Status, Verdict } from "../../parts/verdict";
import { type Experiment, isOver, settled, spanOf, steadyOf, tookOf } from "./figures";
import { Histogram } from "./histogram";
import { Bar } from "./passrate";
import type { Results } from "./results";

/** Summary is the top of the page: verdict and reason, pass rate, calls by verdict, turn latency. */
export function Summary({ results }: { results: Results }) {
  const e = results.voice_experiment;
  const latency = results.metrics.find((metric) => metric.name === "turn_latency");
  return (
    <SimpleGrid cols={{ base: 1, md: latency ? 3 : 2 }} spacing="sm">
      <Stack className="rt-panel" p="sm" gap={6}>
        <Group gap="xs">
          {isOver(e.status) && e.verdict && <Verdict verdict={e.verdict} />}
          {(e.status !== "FINISHED" || !e.verdict) && <Status status={e.status} />}
          <Text size="xs" c="dimmed">
            <Time at={e.started_at ?? e.created_at} />
            {isOver(e.status) && e.finished_at != null && `, took ${duration(tookOf(e, 0))}`}
          </Text>
        </Group>
        <Text size="sm">{e.reason || (isOver(e.status) ? "It ended before all its calls were settled." : "The verdict comes when the last call is scored.")}</Text>
        <Text size="xs" c="dimmed">
          {e.line === "room" ? "Met in rooms" : `Called ${e.to_number ?? Unknown}`}, {e.repetitions} {e.repetitions === 1 ? "call" : "calls"} per scenario
          {e.rerun_of && (
            <>
              {", repeats "}
              <Go to="/experiments/$id" params={{ id: e.rerun_of }}>
                an earlier experiment
              </Go>
              {isOver(e.status) && (
                <>
                  {" ("}
                  <Go to="/experiments/compare" search={{ base: e.rerun_of, with: e.id }}>
                    compare
                  </Go>
                  )
                </>
              )}
            </>
          )}
        </Text>
        <Cost cost={results.cost} />
      </Stack>
      <Stack className="rt-panel" p="sm" gap={6}>
        <Group gap="sm" align="baseline">
          <Text fz={28} fw={650} lh={1.1}>
            {percent(results.pass_rate.value)}
          </Text>
          <Text size="sm" c="dimmed">
            {results.pass_rate.value == null ? `nothing evaluated${isOver(e.status) ? "" : " yet"}` : `passed (${count(results.pass_rate.passed)} of ${count(results.pass_rate.evaluated)} evaluated; 95 %: ${spanOf(results.pass_rate)})`}
          </Text>
        </Group>
        <Bar rate={results.pass_rate} width="100%" />
        {e.repetitions > 1 && <Text size="sm">{steadyOf(results.steady_rate)}</Text>}
        <Tallies id={e.id} counts={e.counts} over={isOver(e.status)} />
      </Stack>
      {latency && (
        <div className="rt-panel" style={{ padding: "10px 12px" }}>
          <Histogram metric={latency} title="Turn latency" />
        </div>
      )}
    </SimpleGrid>
  );
}

function Cost({ cost }: { cost: Results["cost"] }) {
  const parts = [["line", cost.line], ["speech", cost.speech], ["model", cost.model]] as const;
  const paid = parts.filter(([, amount]) => amount > 0);
  return (
    <Text size="xs" c="dimmed">
      {cost.amount != null ? (
        <>
          Cost {money(cost.amount, cost.currency)}
          {paid.length > 1 && ` (${paid.map(([name, amount]) => `${name} ${money(amount, cost.currency)}`).join(", ")})`}
        </>
      ) : (
        <>
          Cost not known: no price for {cost.missing.join(", ")} (<Go to="/settings/workspace">set prices</Go>)
        </>
      )}
    </Text>
  );
}

const Kinds = [
  ["passed", "passed"], ["failed", "failed"], ["void", "void"], ["not_evaluated", "not evaluated"],
] as const;

/** Tallies are the calls by verdict. Those of a run that is over which have none were canceled, and wait for none. */
function Tallies({ id, counts, over }: { id: string; counts: Experiment["counts"]; over: boolean }) {
  const open = counts.calls - settled(counts);
  return (
    <Group gap="md">
      {Kinds.map(([verdict, label]) => (
        <Text key={verdict} size="sm" component="span">
          {counts[verdict] > 0 ? (
            <Go to="/experiments/$id" params={{ id }} search={{ tab: "calls", verdict }} inText>
              {count(counts[verdict])} {label}
            </Go>
          ) : (
            <Text span c="dimmed" size="sm">
              0 {label}
            </Text>
          )}
        </Text>
      ))}
      {open > 0 && (
        <Text size="sm" c="dimmed" component="span">
          {`${count(open)} ${over ? "without a verdict" : "open"}`}
        </Text>
      )}
    </Group>
  );
}
