import { SimpleGrid, Text } from "@mantine/core";
import { capitalized } from "../../api/problem";
import { Empty } from "../../parts/empty";
import { count, plain } from "../../parts/format";
import { type Column, DataTable } from "../../parts/table";
import { Histogram } from "./histogram";
import type { Metric } from "./results";
import { interval, measure } from "./units";

// The metrics that are drawn as histograms: how quickly the agent answers, and how it yields.
const Drawn = ["turn_latency", "turn_latency_tool", "time_to_first_word", "yield_time"];

/** Measured shows the metrics over all calls that count. */
export function Measured({ metrics }: { metrics: Metric[] }) {
  const drawn = Drawn.flatMap((name) => metrics.filter((metric) => metric.name === name));
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" mb="sm">
        {drawn.map((metric) => (
          <div key={metric.name} className="rt-panel" style={{ padding: "10px 12px" }}>
            <Histogram metric={metric} title={capitalized(plain(metric.name))} />
          </div>
        ))}
      </SimpleGrid>
      <DataTable
        label="Metrics" columns={columns} rows={metrics} rowKey={(metric) => metric.name}
        empty={<Empty title="Nothing has been measured">Calls are measured on their recordings when they are over.</Empty>}
      />
    </>
  );
}

const columns: Column<Metric>[] = [
  {
    key: "name", header: "Metric",
    cell: (metric) => (
      <>
        {plain(metric.name)}{" "}
        <Text span size="xs" c="dimmed">
          {metric.better && `${metric.better} is better`}
        </Text>
      </>
    ),
  },
  ...(["p50", "p90", "p95"] as const).map((stat): Column<Metric> => ({
    key: stat, header: stat === "p50" ? "Median" : stat, numeric: true,
    cell: (metric) => <span title={interval(metric[stat], metric.unit)}>{measure(metric[stat].value, metric.unit)}</span>,
  })),
  { key: "mean", header: "Mean", numeric: true, cell: (metric) => measure(metric.mean, metric.unit) },
  { key: "min", header: "Lowest", numeric: true, cell: (metric) => measure(metric.min, metric.unit) },
  { key: "max", header: "Highest", numeric: true, cell: (metric) => measure(metric.max, metric.unit) },
  { key: "values", header: "Values", numeric: true, cell: (metric) => count(metric.values) },
  { key: "calls", header: "Calls", numeric: true, cell: (metric) => count(metric.calls) },
];
