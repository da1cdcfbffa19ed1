import { useSyncExternalStore } from "react";

// One clock for everything that shows or goes by the time. What uses it is drawn anew only when what it makes of the time changes.
const Pace = 30_000;
const second = 1_000;
const hour = 3_600_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let lastTick = Date.now();

function listen(listener: () => void): () => void {
  if (listeners.size === 0) {
    lastTick = current();
    timer = setInterval(tick, Pace);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick() {
  lastTick = Date.now();
  for (const listener of listeners) listener();
}

/** current is the time of the last tick; while nobody listens nothing ticks, and it is the second that runs, so that two looks in a row see the same time. */
function current(): number {
  return listeners.size > 0 ? lastTick : Math.floor(Date.now() / second) * second;
}

/** useClock is what read makes of the time, which is half a minute old at most. */
export function useClock<T extends string | number>(read: (now: number) => T): T {
  return useSyncExternalStore(listen, () => read(current()));
}

/** useHour is the end of the hour that runs. A page that asks for the latest calls goes on with it, however long it stays open. */
export function useHour(): number {
  return useSyncExternalStore(listen, () => Math.ceil(Date.now() / hour) * hour);
}
