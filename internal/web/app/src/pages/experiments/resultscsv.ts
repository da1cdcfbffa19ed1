import { type Cell, csvOf } from "../../parts/csv";
import { shownOf, type Results } from "./results";

/** resultsCsv writes the calls of an experiment as CSV, with what each scorer said about them. */
export function resultsCsv({ scenarios, scorers }: Pick<Results, "scenarios" | "scorers">): string {
  const names = scorers.map(({ name }) => name);
  const head = ["scenario", "scenario_key", "dataset_item_id", "repetition", "call_id", "status", "scoring_status", "verdict", "verdict_reason", "end_reason", "duration_ms", "turn_latency_p50_ms"];
  const rows = shownOf(scenarios).map(({ scenario, call }): Cell[] => [
    scenario.title, scenario.key, scenario.dataset_item_id, call.repetition, call.id, call.status, call.scoring_status, call.verdict, call.verdict_reason, call.end_reason,
    call.duration_ms, call.turn_latency_ms,
    ...names.flatMap((_, i) => [call.scores[i]?.verdict, call.scores[i]?.value]),
  ]);
  return csvOf([[...head, ...names.flatMap((name) => [name, `${name} value`])], ...rows]);
}
