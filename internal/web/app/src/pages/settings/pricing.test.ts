import { expect, it } from "vitest";
import { draftOf, overlaid, pricesOf, readable, same } from "./pricing";

const Kept = { currency: "EUR", trunks: [{ name: "old", per_minute: 0, billed_seconds: 1 }], rooms_per_minute: null, speech_per_minute: 0.02, model_per_minute: null };

it("shows every trunk, and sends those that have a price", () => {
  const draft = draftOf(Kept, [{ name: "main" }, { name: "old" }]);
  expect(draft.trunks).toEqual([{ name: "main", price: "", step: "60" }, { name: "old", price: "0", step: "1" }]);
  expect(pricesOf(draft)).toEqual(Kept);
});

it("keeps the price of a trunk that is not configured any more", () => {
  expect(pricesOf(draftOf(Kept, [])).trunks).toEqual(Kept.trunks);
});

it("tells a price of nothing from none", () => {
  const draft = draftOf(Kept, []);
  expect(same(draft, { ...draft, rooms: "0" })).toBe(false);
  expect(pricesOf({ ...draft, rooms: "0" }).rooms_per_minute).toBe(0);
});

it("keeps what is written when somebody else changes the prices under it, and takes theirs over", () => {
  const written = { rooms: "0.1", trunks: { main: { price: "0.5" } } };
  const theirs = draftOf({ ...Kept, currency: "USD", trunks: [{ name: "main", per_minute: 0.2, billed_seconds: 6 }] }, []);
  expect(overlaid(theirs, written)).toEqual({ ...theirs, rooms: "0.1", trunks: [{ name: "main", price: "0.5", step: "6" }] });
  expect(overlaid(theirs, {})).toEqual(theirs);
});

it("tells prices that are no numbers", () => {
  const draft = draftOf(Kept, []);
  expect(readable(draft)).toBe(true);
  expect(readable({ ...draft, rooms: "-" })).toBe(false);
  expect(readable(overlaid(draft, { trunks: { old: { price: "." } } }))).toBe(false);
});
