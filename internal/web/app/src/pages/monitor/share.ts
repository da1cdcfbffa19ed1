import type { Schemas } from "../../api/client";
import { count, percent } from "../../parts/format";

/** shareOf writes the share of a count, in brackets and with its interval. For few calls the service gives none: the counts say more. */
export function shareOf({ rate, low, high }: Pick<Schemas["Rate"], "rate" | "low" | "high">): string {
  return rate == null ? "" : ` (${percent(rate, 1)}, 95 % interval ${percent(low, 1)} to ${percent(high, 1)})`;
}

/** smallerOf says how many failed calls are in groups that are not shown. */
export function smallerOf(n: number): string {
  return n === 1 ? "1 more failed call is in a smaller group" : `${count(n)} more failed calls are in smaller groups`;
}
