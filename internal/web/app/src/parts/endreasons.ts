/** EndReasons are the codes of how a call may end, as in internal/call/ending.go, the usual ones first. */
export const EndReasons = [
  "completed", "transferred", "caller_hung_up", "agent_hung_up", "max_duration", "silence", "busy", "no_answer", "declined", "voicemail", "agent_never_joined", "unreachable",
  "media_lost", "codec_mismatch", "agent_error", "configuration", "provider_error", "platform_error", "interrupted", "ringtrue_error", "unknown",
];
