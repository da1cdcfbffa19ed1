import { describe, expect, it } from "vitest";
import { whyFailing } from "./failing";

const nothing = { verdict: null, verdict_reason: "", end_reason: { code: null, blame: null, detail: null } };

describe("why a call is failing", () => {
  it("is what its first failed check found, also where the call broke off", () => {
    const end_reason = { code: "agent_error", blame: "agent", detail: "500" } as const;
    expect(whyFailing({ ...nothing, verdict: "failed", verdict_reason: "The agent never said its name.", end_reason })).toBe("The agent never said its name.");
  });

  it("is how it ended where no check failed", () => {
    const end_reason = { code: "provider_error", blame: "platform", detail: null } as const;
    expect(whyFailing({ ...nothing, verdict: "passed", verdict_reason: "All checks passed.", end_reason })).toBe("It ended because of a fault: provider error.");
    expect(whyFailing({ ...nothing, end_reason: { ...end_reason, detail: "tts-timeout" } })).toBe("It ended because of a fault: provider error (tts-timeout).");
  });

  it("is else what the platform reported", () => {
    expect(whyFailing({ ...nothing, verdict: "passed", end_reason: { code: "completed", blame: "nobody", detail: null } })).toBe("The platform reported it as unsuccessful.");
  });
});
