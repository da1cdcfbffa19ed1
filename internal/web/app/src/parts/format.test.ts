import { describe, expect, it, vi } from "vitest";
import { ago, brief, checkName, clipped, count, counted, duration, figure, money, percent, plain, roughly, short, Unknown, unmasked } from "./format";

describe("figures", () => {
  it("writes durations as a clock does", () => {
    expect([0, 41_600, 185_000, 3_723_000].map(duration)).toEqual(["0:00", "0:42", "3:05", "1:02:03"]);
  });
  it("writes short times with their unit", () => {
    expect([12.4, 999, 1250, 12_345].map(short)).toEqual(["12 ms", "999 ms", "1.25 s", "12.3 s"]);
    expect([119_949, 119_990, 349_500, -361_000].map(short)).toEqual(["119.9 s", "2 min 0 s", "5 min 50 s", "-6 min 1 s"]);
  });
  it("writes estimated times so that none reads as a time of day", () => {
    expect([0, 40_400, 59_600, 989_000, 3_580_000, 4_800_000, 7_200_000].map(roughly)).toEqual(["1 s", "40 s", "1 min", "16 min", "1 h", "1 h 20 min", "2 h"]);
  });
  it("shows what is not known as such", () => {
    expect([duration(null), short(undefined), percent(Number.NaN), figure(null), ago(null, 0), plain("")]).toEqual(Array(6).fill(Unknown));
  });
  it("rounds to what can be read", () => {
    expect([figure(999.7, "s"), short(999.7)]).toEqual(["1,000 s", "1.00 s"]);
    expect([figure(0.123456), figure(12.3456, "s"), percent(0.0567, 1)]).toEqual(["0.123", "12.3 s", "5.7 %"]);
  });
  it("writes no share as none or as all that is not", () => {
    expect([0, 1, 0.004, 0.996, 0.9995].map((share) => percent(share))).toEqual(["0 %", "100 %", "0.4 %", "99.6 %", "99.95 %"]);
    expect([0, 1, 0.0004, 0.9996, 0.05, 1e-18].map((share) => percent(share, 1))).toEqual(["0.0 %", "100.0 %", "0.04 %", "99.96 %", "5.0 %", "0.0 %"]);
    expect([-0.003, -0.9996, 1.003, 1.2, 0.995].map((share) => percent(share))).toEqual(["-0.3 %", "-99.96 %", "100.3 %", "120 %", "99.5 %"]);
    expect([-0.0004, -1e-18, -0].map((share) => percent(share, 1))).toEqual(["-0.04 %", "0.0 %", "0.0 %"]);
  });
  it("writes numbers in one way wherever the reader is, for a point cannot both part thousands and begin decimals", () => {
    const german = vi.spyOn(Number.prototype, "toLocaleString").mockImplementation(function (this: number, locale, options) {
      return new Intl.NumberFormat(locale ?? "de", options).format(this);
    });
    expect([count(1250), figure(1250.4, "ms"), figure(1.25, "s"), money(1250.5, "EUR"), money(0.0042, "USD")]).toEqual(["1,250", "1,250 ms", "1.25 s", "€1,250.50", "$0.0042"]);
    german.mockRestore();
  });
  it("counts one thing as one", () => {
    expect([counted(0, "call"), counted(1, "call"), counted(2, "call"), counted(1000, "call")]).toEqual(["0 calls", "1 call", "2 calls", "1,000 calls"]);
  });
  it("names the year of a time only when it is another one", () => {
    const now = new Date(2026, 5, 10, 12).getTime();
    expect(brief(new Date(2026, 4, 3, 9, 5).getTime(), now)).not.toMatch(/2026/);
    expect(brief(new Date(2025, 4, 3, 9, 5).getTime(), now)).toMatch(/2025/);
  });
  it("names what an item expects in words, and leaves people's own names alone", () => {
    expect(["say:1", "do_not_say:2", "fact_stated:price of a check-up", "tool_called:1", "timing:turn_latency_p95_ms", "end_reason"].map(checkName)).toEqual([
      "phrase 1", "forbidden phrase 2", "fact: price of a check-up", "tool call 1", "turn latency p95", "end reason",
    ]);
    expect(["my_check", "team: politeness", "constructor:x"].map(checkName)).toEqual(["my_check", "team: politeness", "constructor:x"]);
  });
  it("puts dots where words are not kept", () => {
    expect([unmasked("# moment please mr *"), unmasked("your number is # # thanks"), unmasked("a#b c@d")]).toEqual(["… moment please mr …", "your number is … … thanks", "a#b c@d"]);
  });
  it("tells how long ago", () => {
    const now = Date.UTC(2026, 0, 10, 12);
    expect([10, 120, 7200, 3 * 86_400].map((s) => ago(now - s * 1000, now))).toEqual(["just now", "2 min ago", "2 h ago", "3 d ago"]);
    expect([3569, 3570, 84_599, 84_600].map((s) => ago(now - s * 1000, now))).toEqual(["59 min ago", "1 h ago", "23 h ago", "1 d ago"]); // not 60 min, nor 24 h
    expect(ago(now + 30_000, now)).toBe("just now");
    expect(ago(now + 3 * 86_400_000, now)).toMatch(/13/);
  });
});

describe("the hour that clocks show twice", () => {
  const Format = Intl.DateTimeFormat;
  const read = async (timeZone: string, times: string[]) => {
    vi.spyOn(Intl, "DateTimeFormat").mockImplementation(function (_: unknown, options?: Intl.DateTimeFormatOptions) {
      return new Format("en-US", { ...options, timeZone });
    } as never);
    vi.resetModules(); // ways to write times are kept
    const fresh = await import("./format");
    return times.flatMap((iso) => [fresh.moment(Date.parse(iso)), fresh.brief(Date.parse(iso), Date.parse("2026-12-01T00:00Z"))]).map((text) => text.replaceAll("\u202f", " "));
  };
  it("is told with its zone, and no other is", async () => {
    expect(await read("Europe/Berlin", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:05Z", "2026-10-25T02:30:00Z"])).toEqual([
      "Oct 25, 2026, 2:30 AM GMT+2", "Oct 25, 2:30 AM GMT+2", "Oct 25, 2026, 2:30:05 AM GMT+1", "Oct 25, 2:30 AM GMT+1", "Oct 25, 2026, 3:30 AM", "Oct 25, 3:30 AM",
    ]);
    expect((await read("Australia/Lord_Howe", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]))[0]).toMatch(/1:45 AM GMT\+11$/);
  });
});

describe("clipped", () => {
  const family = "👩‍👩‍👧‍👦";
  it("leaves what is short as it is", () => {
    expect(clipped("v42", 24)).toBe("v42");
    expect(clipped(family.repeat(5), 5)).toBe(family.repeat(5));
  });
  it("tells that there is more, and halves no letter", () => {
    expect(clipped("abcdefgh", 5)).toBe("abcd…");
    expect(clipped(`v-${family}${family}-next`, 5)).toBe(`v-${family}${family}…`);
    expect(clipped("release-2026-11-30-🎉-candidate", 20)).toBe("release-2026-11-30-…");
  });

  it("goes by characters in a browser that cannot tell letters", () => {
    const segmenter = Intl.Segmenter;
    try {
      Object.assign(Intl, { Segmenter: undefined });
      expect(clipped("release-🎉🎉🎉", 10)).toBe("release-🎉…");
      expect(clipped("release-🎉🎉", 10)).toBe("release-🎉🎉");
    } finally {
      Object.assign(Intl, { Segmenter: segmenter });
    }
  });
});
