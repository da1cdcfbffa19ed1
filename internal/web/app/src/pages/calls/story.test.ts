import { describe, expect, it } from "vitest";
import { common, entryAt, gaps, joined, repliesOf, storyOf } from "./story";
import { matching } from "./transcript";
import type { Detail, Turn } from "./types";

const turn = (index: number, speaker: "caller" | "agent", start_ms: number, end_ms: number, manner: Turn["manner"] = null): Turn => ({
  index, speaker, start_ms, end_ms, manner, by: null, text: `words ${index}`, feeling: null,
});

describe("stretches", () => {
  it("join across short pauses", () => {
    expect(joined([{ start: 10, end: 20 }, { start: 0, end: 5 }, { start: 18, end: 30 }, { start: 37, end: 40 }], 6)).toEqual([{ start: 0, end: 30 }, { start: 37, end: 40 }]);
  });
  it("leave gaps, at both ends too, that are longer than the least", () => {
    expect(gaps([{ start: 2001, end: 3000 }, { start: 5000, end: 6000 }], 8500, 2000)).toEqual([{ start: 0, end: 2001 }, { start: 6000, end: 8500 }]);
  });
  it("overlap where both are", () => {
    expect(common([{ start: 0, end: 1000 }, { start: 2000, end: 3000 }], [{ start: 800, end: 2500 }])).toEqual([{ start: 800, end: 1000 }, { start: 2000, end: 2500 }]);
  });
});

describe("replies", () => {
  it("are the agent's first turn that goes on beyond the caller's", () => {
    const turns = [turn(0, "agent", 0, 900), turn(1, "caller", 1000, 3000), turn(2, "agent", 1500, 1700), turn(3, "agent", 3600, 5000), turn(4, "caller", 5200, 6000)];
    expect(repliesOf(turns)).toEqual([{ turn: 3, ms: 600, start: 3000, end: 3600 }]);
  });
  it("may begin too early, and are not looked for behind backchannels or across the caller's next turn", () => {
    const turns = [turn(0, "caller", 0, 1000), turn(1, "agent", 800, 2000), turn(2, "caller", 1200, 1400, "backchannel"), turn(3, "caller", 3000, 4000), turn(4, "caller", 6000, 7000), turn(5, "agent", 7500, 8000)];
    expect(repliesOf(turns).map(({ turn: index, ms }) => [index, ms])).toEqual([[1, -200], [5, 500]]);
  });
  it("are waited for from the last key that the caller pressed", () => {
    const keys = [900, 1500, 3000, 6500].map((start) => ({ start, end: start + 100 }));
    expect(repliesOf([turn(0, "caller", 0, 1000), turn(1, "agent", 4000, 5000), turn(2, "agent", 7000, 8000)], keys)).toEqual([{ turn: 1, ms: 900, start: 3100, end: 4000 }]);
  });
  it("need times", () => {
    expect(repliesOf([turn(0, "caller", -1, -1), turn(1, "agent", -1, -1)])).toEqual([]);
  });
  it("need the ends of turns", () => {
    expect(repliesOf([turn(0, "caller", 4500, 4500), turn(1, "agent", 7000, 7000), turn(2, "caller", 9500, 9800), turn(3, "agent", 12500, 12500)])).toEqual([]);
  });
});

const detail = (part: Partial<Detail>): Detail =>
  ({ turns: [], timeline: [], scores: [], speech: { caller: [], agent: [], length_ms: 0 }, audio: null, reported: null, duration_ms: null, transcript: { kind: "chat_completion", messages: [] }, ...part }) as Detail;

describe("a story", () => {
  const story = storyOf(detail({
    turns: [turn(0, "agent", 0, 1000), turn(1, "caller", 4000, 5000), turn(2, "agent", 6000, 7000)],
    speech: { caller: [4000, 5000], agent: [0, 1000, 6000, 7000], length_ms: 7000 },
    timeline: [{ at_ms: 4500, end_ms: null, kind: "digit_sent", text: "5", data: {} }, { at_ms: 7000, end_ms: null, kind: "hang_up", text: null, data: { by: "agent" } }],
    scores: [{ scorer_id: "sc_1", name: "polite", version: 1, verdict: "failed", required: true, value: null, unit: null, reason: "rude", evidence: [{ turn: 2, start_ms: 6000, end_ms: 7000, quote: "words" }] }],
    transcript: { kind: "chat_completion", messages: [{ role: "assistant", start: 5500, content: "", tool_calls: [{ id: "t", type: "function", function: { name: "book", arguments: "{}" } }] }, { role: "tool", content: "done", tool_call_id: "t" }] },
  }));
  it("tells everything in order of time", () => {
    expect(story.entries.map((entry) => entry.key)).toEqual(["turn 0", "silence 0", "turn 1", "event 0", "tool 0 t", "turn 2", "event 1"]);
    expect(story.entries[4]).toMatchObject({ kind: "tool", tool: { name: "book", result: "done" } });
    expect(story.entries[5]).toMatchObject({ latency: 1000, findings: [{ quote: "words" }] });
  });
  it("knows which turn a moment belongs to", () => {
    expect([-1, 0, 3999, 4600, 9000].map((ms) => entryAt(story, ms))).toEqual([-1, 0, 0, 2, 5]);
  });
  it("is searched in words and tools alike", () => {
    expect(matching(story.entries, " BOOK ").map((entry) => entry.key)).toEqual(["tool 0 t"]);
    expect(matching(story.entries, "words")).toHaveLength(3);
  });
  it("writes how long something took with its unit", () => {
    const gap = storyOf(detail({ timeline: [{ at_ms: 10, end_ms: null, kind: "media_gap", text: null, data: { ms: 256, after_ms: 1500, by: "agent" } }] }));
    expect(gap.entries).toMatchObject([{ text: "media gap: 256 ms, after 1.50 s, by agent" }]);
  });
  it("takes what a transcript lists behind a word of the other's for the same turn", () => {
    const turns = [turn(0, "caller", 2000, 4000), turn(1, "agent", 4500, 7100), turn(2, "caller", 7000, 7300), turn(3, "agent", 7300, 10000), turn(4, "agent", 10600, 11500), turn(5, "caller", 12000, 13000), turn(6, "agent", 13400, 15000)];
    expect(storyOf(detail({ turns })).replies.map((reply) => [reply.turn, reply.ms])).toEqual([[1, 500], [6, 400]]);
    expect(turns[1]?.end_ms).toBe(7100);
  });
  it("takes no key that the caller presses for a silence", () => {
    const keys = [3000, 3180].map((at_ms) => ({ at_ms, end_ms: null, kind: "digit_sent", text: null, data: { digit: "1" } }));
    const speech = { caller: [9000, 9500], agent: [0, 1500, 6000, 8000], length_ms: 9500 };
    expect(storyOf(detail({ speech, timeline: keys })).silences).toEqual([{ start: 3280, end: 6000 }]);
  });
  it("tells of no silences where a transcript does not tell when turns end", () => {
    expect(storyOf(detail({ turns: [turn(0, "agent", 500, 500), turn(1, "caller", 9500, 9800), turn(2, "agent", 12500, 12500)], duration_ms: 60000 }))).toMatchObject({ silences: [], replies: [], overlaps: [] });
  });
  it("is empty for a call of which nothing is known", () => {
    expect(storyOf(detail({}))).toMatchObject({ entries: [], length: 1000, timed: false, silences: [] });
  });
});
