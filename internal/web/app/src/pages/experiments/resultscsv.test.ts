import { expect, it } from "vitest";
import type { Results } from "./results";
import { resultsCsv } from "./resultscsv";

it("writes a row for each call, with what each scorer said", () => {
  const call = { id: "call_1", repetition: 1, status: "ENDED", scoring_status: "SCORED", verdict: "passed", verdict_reason: "", end_reason: "completed", duration_ms: 1000, turn_latency_ms: 700 };
  const results = {
    scorers: [{ name: "say:1" }, { name: "polite" }],
    scenarios: [
      { title: "Books, then cancels", key: "book", dataset_item_id: "di_1", calls: [{ ...call, scores: [{ verdict: "passed", value: null }, { verdict: "failed", value: 0.25 }] }] },
      { title: "Waits", key: "", dataset_item_id: "di_2", calls: [{ ...call, id: "call_2", repetition: 2, verdict: null, scores: [] }] },
    ],
  } as unknown as Results;
  expect(resultsCsv(results).replace("\uFEFF", "").trim().split("\r\n")).toEqual([
    "scenario,scenario_key,dataset_item_id,repetition,call_id,status,scoring_status,verdict,verdict_reason,end_reason,duration_ms,turn_latency_p50_ms,say:1,say:1 value,polite,polite value",
    '"Books, then cancels",book,di_1,1,call_1,ENDED,SCORED,passed,,completed,1000,700,passed,,failed,0.25',
    "Waits,,di_2,2,call_2,ENDED,SCORED,,,completed,1000,700,,,,",
  ]);
});
