import type { Schemas } from "../../api/client";

/** Call is a call as a list has it. */
export type Call = Schemas["CallSummary"];

/** Feeling is how the caller felt. */
export type Feeling = Schemas["Feeling"];

/** Turn is one party's speech; feeling is null where it was not judged. */
export type Turn = Schemas["CallTurn"];

/** Detail is everything about a call. */
export type Detail = Schemas["CallDetail"];

export type Score = Schemas["Score"];
export type Attempt = Schemas["CallAttempt"];

const Over = ["ENDED", "FAILED", "CANCELED"];
const Reviewed = ["SCORED", "SCORING_FAILED", "SKIPPED"];

/** onLine tells whether the call is not over yet. */
export const onLine = (call: { status: string }) => !Over.includes(call.status);

/** moving tells whether the call will still change by itself. */
export const moving = (call: { status: string; scoring_status: string }) => onLine(call) || !Reviewed.includes(call.scoring_status);
