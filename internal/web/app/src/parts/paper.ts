import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const listeners = new Set<() => void>();
let printed = false;

/**
 * putOnPaper tells what draws no more than the screen shows, or draws in the colours of a scheme, that the page is being printed, or no longer is. All is drawn
 * anew when it returns: the browser takes what is there then.
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

/** usePaperOf is usePaper for a frame that scrolls: on paper it does not, and afterwards it is where it was. */
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
