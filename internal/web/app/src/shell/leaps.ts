import type { Path } from "../parts/go";

/** Leaps are the pages that "g" followed by a letter opens. */
export const Leaps: Record<string, [to: Path, label: string]> = {
  o: ["/", "Overview"],
  c: ["/calls", "All calls"],
  e: ["/experiments", "Experiments"],
  d: ["/datasets", "Datasets"],
  a: ["/agents", "Agents"],
  f: ["/monitor/failures", "Failing calls"],
  t: ["/monitor/trends", "Trends"],
  u: ["/monitor/upset", "Upset callers"],
  s: ["/settings", "Settings"],
};
