import { useSyncExternalStore } from "react";

// One clock for all that goes by the time; each is drawn anew only when what it makes of it changes.
const Pace = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function listen(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, Pace);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** useClock is what read makes of the time, which is half a minute old at most. */
export function useClock<T extends string | number>(read: (now: number) => T): T {
  return useSyncExternalStore(listen, () => read(now));
}

const hour = 3_600_000;

/** useHour is the end of the hour that runs. What asks for the latest goes on with it, however long a page stays open. */
export function useHour(): number {
  return useSyncExternalStore(listen, () => Math.ceil(Date.now() / hour) * hour);
}
