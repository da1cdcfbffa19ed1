import type { Schemas } from "../../api/client";

/** Call is a call as a list has it. */
export type Call = Schemas["CallSummary"];

/** Feeling is how the caller felt. */
export type Feeling = Schemas["Feeling"];

/** Turn is one party's speech; feeling is null where nobody judged it. */
export type Turn = Omit<Schemas["CallTurn"], "feeling"> & { feeling: Schemas["TurnFeeling"] | null };

/** Detail is everything about a call, with what may be absent said so. */
export type Detail = Omit<Schemas["CallDetail"], "feeling" | "reported" | "audio" | "turns"> & {
  feeling: Feeling | null;
  reported: Schemas["Reported"] | null;
  audio: Schemas["CallAudio"] | null;
  turns: Turn[] | null;
};

export type Score = Schemas["Score"];
export type Attempt = Schemas["CallAttempt"];

const Over = ["ENDED", "FAILED", "CANCELED"];
const Reviewed = ["SCORED", "SCORING_FAILED", "SKIPPED"];

/** onLine reports whether the call is not over yet. */
export const onLine = (call: { status: string }) => !Over.includes(call.status);

/** moving reports whether anything about the call will change by itself. */
export const moving = (call: { status: string; scoring_status: string }) => onLine(call) || !Reviewed.includes(call.scoring_status);
