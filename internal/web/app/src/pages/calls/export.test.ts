import { expect, it } from "vitest";
import { callsCsv } from "./export";
import type { Call } from "./types";

const call = {
  id: "call_1", agent_id: "agt_1", origin: "production", status: "ENDED", scoring_status: "SCORED", verdict: "failed", verdict_reason: "said, twice, nothing", started_at: 0,
  end_reason: { code: "completed", blame: "nobody", detail: null }, duration_ms: 61_500, from_number: "+15550177", repetition: 0, caller_upset: true,
  metadata: { customer: "=1+1", tier: 2, deep: { a: 1 } },
} as unknown as Call;

it("writes a call with its metadata in columns of their own", () => {
  const other = { ...call, id: "call_2", agent_id: null, metadata: { zone: "eu" } };
  const [head, first, second] = callsCsv([call, other], () => "front desk").trim().split("\r\n").map((line) => line.replace("\uFEFF", ""));
  const names = head?.split(",") ?? [];
  expect(names.slice(-4)).toEqual(["metadata.customer", "metadata.deep", "metadata.tier", "metadata.zone"]);
  expect(first).toContain("call_1,1970-01-01T00:00:00.000Z,production,front desk,agt_1,ENDED,SCORED,failed,\"said, twice, nothing\",completed,nobody,,61500,");
  expect(first).toMatch(/,'=1\+1,"\{""a"":1\}",2,$/);
  expect(second).toMatch(/^call_2,[^,]+,production,,,.*,,,,eu$/);
});
