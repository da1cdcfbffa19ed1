import { describe, expect, it } from "vitest";
import { Blank, missing, placesOf, roomsOf, runOf, unread } from "./runform";

describe("the form of a test run", () => {
  const form = { ...Blank, agent: "agt_1", dataset: "ds_1" };

  it("leaves to the agent what was not chosen", () => {
    expect(runOf(form, "+15550100")).toEqual({ dataset_id: "ds_1", to_number: "+15550100" });
  });
  it("asks for what was chosen, nothing included", () => {
    expect(runOf({ ...form, to: " +15550199 ", items: ["di_1"], repetitions: "3", prompt: "none", scorers: [], threshold: "80", perSecond: "0.5" }, "")).toEqual({
      dataset_id: "ds_1", to_number: "+15550199", dataset_item_ids: ["di_1"], repetitions: 3, caller_prompt: "", scorers: [], pass_threshold: 0.8, calls_per_second: 0.5,
    });
    expect(runOf({ ...form, prompt: "ref:rude@2" }, "").caller_prompt).toBe("rude@2");
  });
  it("makes rooms of it", () => {
    expect(roomsOf({ ...form, line: "rooms", items: ["di_1"], worker: "desk" })).toEqual({ datasetId: "ds_1", datasetItemIds: ["di_1"], agentId: "agt_1", agentName: "desk" });
  });
  it("says what is missing", () => {
    expect(Object.keys(missing(Blank, ""))).toEqual(["dataset_id", "agent_id", "to_number"]);
    expect(missing({ ...Blank, line: "rooms", dataset: "ds_1" }, "")).toEqual({});
  });
  it("says which numbers are none", () => {
    const written = { ...form, repetitions: "3-", perSecond: "0,5", concurrent: "2", threshold: " " };
    expect(Object.keys(unread(written))).toEqual(["repetitions", "calls_per_second"]);
    expect(unread({ ...written, line: "rooms" })).toEqual({});
    expect(runOf(written, "")).not.toHaveProperty("pass_threshold");
  });
  it("puts messages of both operations to the same fields", () => {
    expect(placesOf({ datasetId: "no", "scorers[0]": "none such", to_number: "bad" })).toEqual({ dataset_id: "no", scorers: "none such", to_number: "bad" });
  });
});
