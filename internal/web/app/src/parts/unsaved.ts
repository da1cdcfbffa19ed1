import { useBlocker } from "@tanstack/react-router";

/** useUnsaved asks before a page with unsaved changes is left, and thereby keeps them on the page when the session ends. what names them: "the prompt". */
export function useUnsaved(written: boolean, what: string): void {
  useBlocker({ shouldBlockFn: () => written && !window.confirm(`Leave without saving ${what}?`), enableBeforeUnload: () => written });
}
