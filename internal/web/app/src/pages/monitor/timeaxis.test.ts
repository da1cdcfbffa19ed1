import { afterEach, expect, it, vi } from "vitest";
import { timesText } from "./timeaxis";

const Format = Intl.DateTimeFormat;
afterEach(() => vi.restoreAllMocks());

/** reading has times written for somebody of another language and zone. */
function reading(locale: string, timeZone: string) {
  vi.spyOn(Intl, "DateTimeFormat").mockImplementation(function (_: unknown, options?: Intl.DateTimeFormatOptions) {
    return new Format(locale, { ...options, timeZone });
  } as never);
}

const at = (iso: string) => Date.parse(iso) / 1000;

it("names days as the reader does, and each year once", () => {
  const days = [at("2026-12-30T12:00Z"), at("2026-12-31T12:00Z"), at("2027-01-01T12:00Z")];
  reading("de", "Europe/Berlin");
  expect(timesText(days, 86_400)).toEqual(["30. Dez.\n2026", "31. Dez.", "1. Jan.\n2027"]);
  reading("en-US", "UTC");
  expect(timesText(days, 86_400)).toEqual(["Dec 30\n2026", "Dec 31", "Jan 1\n2027"]);
});

it("names hours in the reader's zone, and each day once", () => {
  reading("de", "Asia/Kolkata");
  expect(timesText([at("2026-11-28T16:30Z"), at("2026-11-28T18:30Z"), at("2026-11-28T20:30Z")], 7200)).toEqual(["22:00\n28. Nov.", "00:00\n29. Nov.", "02:00"]);
});

it("tells the two hours apart that clocks show alike at the end of summer time", () => {
  const hours = [at("2026-10-24T23:00Z"), at("2026-10-25T00:00Z"), at("2026-10-25T01:00Z"), at("2026-10-25T02:00Z")];
  reading("en-US", "Europe/Berlin");
  expect(timesText(hours, 3600).map((text) => text.replaceAll("\u202f", " "))).toEqual(["1:00 AM\nOct 25", "2:00 AM\nGMT+2", "2:00 AM\nGMT+1", "3:00 AM"]);
});
