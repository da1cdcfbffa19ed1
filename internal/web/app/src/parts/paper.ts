import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const listeners = new Set<() => void>();
let printed = false;

/**
 * putOnPaper announces that printing begins or ends, to whatever draws only what is on the screen, or draws in the colours of a scheme. Everything is drawn when it
 * returns: the browser prints what is there then.
 */
export function putOnPaper(now: boolean): void {
  printed = now;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

/** usePaper tells whether the page is being printed. */
export function usePaper(): boolean {
  return useSyncExternalStore(listen, () => printed);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** usePaperOf is usePaper for a frame that scrolls. It loses its place while it is printed in full, and gets it back afterwards. */
export function usePaperOf(frame: RefObject<HTMLElement | null>): boolean {
  const paper = usePaper();
  const place = useRef(0);
  useLayoutEffect(() => {
    if (!frame.current) return;
    if (paper) place.current = frame.current.scrollTop;
    else if (place.current > 0) frame.current.scrollTop = place.current;
  }, [paper, frame]);
  return paper;
}
