import { count } from "../../parts/format";

/** Most is where the service stops counting calls that wait for their review. */
const Most = 1000;

/** notApart says of which value no figure is shown. */
export function notApart({ value }: { value: string | null }): string {
  return `“${value}” is not among the first 100 values of its dimension; its calls are counted as “other”`;
}

/** noCalls says why there are no figures: no calls, or none that are counted by themselves. */
export function noCalls(data: { in_other: boolean; value: string | null } | undefined): string {
  return data?.in_other ? `${notApart(data)}.` : "There were no calls in this time.";
}

/** waitingFor says how many calls wait for their review. It is a file of its own to be part of the small first page. */
export function waitingFor(n: number): string {
  return n === 1 ? "1 call is waiting for review" : `${n >= Most ? `${count(Most)} or more` : count(n)} calls are waiting for review`;
}
