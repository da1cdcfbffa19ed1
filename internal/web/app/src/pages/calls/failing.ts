import { plain } from "../../parts/format";
import type { Call } from "./types";

/** Broken are the ends by which a call is failing whatever our checks say: something did not work. They are those of the service's monitoring. */
const Broken = ["agent_error", "configuration", "provider_error", "platform_error", "media_lost", "codec_mismatch", "unreachable", "agent_never_joined"];

/** whyFailing says in a sentence why a failing call is one: what its first failed check found, how it ended, or else what the platform reported. */
export function whyFailing({ verdict, verdict_reason: reason, end_reason: { code, detail } }: Pick<Call, "verdict" | "verdict_reason" | "end_reason">): string {
  if (verdict === "failed" && reason) return reason;
  if (code && Broken.includes(code)) return `It ended because of a fault: ${plain(code)}${detail ? ` (${detail})` : ""}.`;
  return "The platform reported it as unsuccessful.";
}
