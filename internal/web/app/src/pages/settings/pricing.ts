import type { Schemas } from "../../api/client";
import { notNumber } from "../../parts/number";

/** Line is the price of a trunk in the form; "" is no price. */
export interface Line {
  name: string;
  price: string;
  step: string;
}

/** Draft is what the form of prices holds. */
export interface Draft {
  currency: string;
  trunks: Line[];
  rooms: string;
  speech: string;
  model: string;
}

const text = (price: number | null | undefined) => (price == null ? "" : String(price));
const price = (entered: string) => (entered === "" ? null : Number(entered));

/** draftOf has a line for every trunk that is configured, and for those that have a price and are not configured any more. */
export function draftOf(prices: Schemas["CallPrices"], trunks: { name: string }[]): Draft {
  const priced = prices.trunks ?? [];
  const names = [...trunks.map(({ name }) => name), ...priced.map(({ name }) => name)];
  return {
    currency: prices.currency,
    trunks: [...new Set(names)].map((name) => {
      const known = priced.find((one) => one.name === name);
      return { name, price: text(known?.per_minute), step: text(known?.billed_seconds ?? 60) };
    }),
    rooms: text(prices.rooms_per_minute), speech: text(prices.speech_per_minute), model: text(prices.model_per_minute),
  };
}

/** Written are unsaved changes of a draft; those of trunks by name. */
export type Written = Partial<Omit<Draft, "trunks">> & { trunks?: Record<string, Partial<Line>> };

/** overlaid is a draft with unsaved changes, which survive when somebody else changes the prices under them. */
export function overlaid(draft: Draft, { trunks, ...rest }: Written): Draft {
  return { ...draft, ...rest, trunks: draft.trunks.map((line) => ({ ...line, ...trunks?.[line.name] })) };
}

/** pricesOf is the request: all prices, without trunks that have none. */
export function pricesOf(draft: Draft): Schemas["CallPrices"] {
  return {
    currency: draft.currency.trim(),
    trunks: draft.trunks.filter((line) => line.price !== "").map((line) => ({ name: line.name, per_minute: Number(line.price), billed_seconds: Number(line.step) })),
    rooms_per_minute: price(draft.rooms), speech_per_minute: price(draft.speech), model_per_minute: price(draft.model),
  };
}

/** readable tells whether every price is a number. */
export function readable({ rooms, speech, model, trunks }: Draft): boolean {
  return [rooms, speech, model, ...trunks.map((line) => line.price)].every((entered) => notNumber(entered) === undefined);
}

/** same tells whether two drafts would send the same. */
export function same(a: Draft, b: Draft): boolean {
  return JSON.stringify(pricesOf(a)) === JSON.stringify(pricesOf(b));
}
