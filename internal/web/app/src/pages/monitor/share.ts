import type { Schemas } from "../../api/client";
import { percent } from "../../parts/format";

/** shareOf writes the share of a count, in brackets and with its interval. For few calls the service gives none: the counts say more. */
export function shareOf({ rate, low, high }: Pick<Schemas["Rate"], "rate" | "low" | "high">): string {
  return rate == null ? "" : ` (${percent(rate, 1)}, 95 % interval ${percent(low, 1)} to ${percent(high, 1)})`;
}
