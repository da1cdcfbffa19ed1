import { plain } from "../../parts/format";
import type { Call } from "./types";

/** Broken are the end reasons that make a call failing whatever the checks say. Keep them as they are in the monitoring of the service. */
const Broken = ["agent_error", "configuration", "provider_error", "platform_error", "media_lost", "codec_mismatch", "unreachable", "agent_never_joined"];

/** whyFailing says why a failing call is one: what its first failed check found, else how it ended, else that the platform reported it. */
export function whyFailing({ verdict, verdict_reason: reason, end_reason: { code, detail } }: Pick<Call, "verdict" | "verdict_reason" | "end_reason">): string {
  if (verdict === "failed" && reason) return reason;
  if (code && Broken.includes(code)) return `It ended because of a fault: ${plain(code)}${detail ? ` (${detail})` : ""}.`;
  return "The platform reported it as unsuccessful.";
}
