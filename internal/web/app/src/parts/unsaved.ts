import { useBlocker } from "@tanstack/react-router";

/** useUnsaved asks before what somebody has written and not saved is left, and keeps it on the page when their session ends. what names it: "the prompt". */
export function useUnsaved(written: boolean, what: string): void {
  useBlocker({ shouldBlockFn: () => written && !window.confirm(`Leave without saving ${what}?`), enableBeforeUnload: () => written });
}
