import { useEffect, useRef, useState } from "react";
import { Base, type Schemas } from "./client";

/** StreamEvent is one message of /events. */
export type StreamEvent = Schemas["EventData"];

/** LiveEvent is what a running call did since the message before. It is not stored: of what was missed, only the words come again, with the first message after a reconnection. */
export interface LiveEvent {
  kind: "live";
  voice_experiment_id: string;
  call_id: string;
  state: "dialing" | "ringing" | "answered" | "over";
  /** t_ms is the media time up to which it tells, counted from the answer. */
  t_ms: number;
  /** outline is how loud both sides were: peaks from 0 to 1, one per step_ms. */
  outline: { from_ms: number; step_ms: number; caller: number[]; agent: number[] };
  said: { speaker: "caller" | "agent"; text: string; start_ms: number; end_ms: number }[];
}

/** StreamState says whether events arrive. While the stream is not open, pages poll instead. */
export type StreamState = "connecting" | "open" | "broken";

interface FollowOptions {
  /** experiment narrows the stream to one experiment. */
  experiment?: string | undefined;
  onEvent: (event: StreamEvent) => void;
  /** onLive, when given, hears what running calls do. */
  onLive?: ((event: LiveEvent) => void) | undefined;
  onState: (state: StreamState) => void;
}

/** Kinds are the names of the stored, numbered events; live ones are listened to only where somebody wants them. */
const Kinds = ["experiment", "call"];

const FirstPause = 2_000;
const LongestPause = 30_000;

/**
 * follow listens to /events until the returned function is called. The browser reconnects by itself after a break. Where it gives up, because the service
 * refused, follow tries again after a growing pause, from the number of the last event on. A hidden page closes its connection: a browser has few per host.
 */
export function follow({ experiment, onEvent, onLive, onState }: FollowOptions): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = "";
  let pause = FirstPause;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const take = (message: MessageEvent<string>) => {
    last = message.lastEventId || last;
    const event = read<StreamEvent>(message.data);
    if (event) onEvent(event);
  };
  const watch = (message: MessageEvent<string>) => {
    const event = read<LiveEvent>(message.data);
    if (event) onLive?.(event);
  };
  const open = () => {
    close();
    const query = new URLSearchParams();
    if (experiment) query.set("voice_experiment_id", experiment);
    if (last) query.set("after", last);
    query.set("live", String(onLive !== undefined));
    const now = new EventSource(`${Base}/events?${query}`);
    source = now;
    now.onopen = () => {
      pause = FirstPause;
      onState("open");
    };
    now.onerror = () => {
      onState("broken");
      if (now.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, LongestPause);
    };
    for (const kind of Kinds) now.addEventListener(kind, take);
    if (onLive) now.addEventListener("live", watch);
  };
  const look = () => {
    if (document.hidden) {
      close();
      onState("broken");
    } else if (!source) open();
  };

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    close();
  };
}

function read<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T;
  } catch {
    return undefined;
  }
}

interface EventsOptions {
  /** experiment narrows the stream to one experiment. */
  experiment?: string | undefined;
  /** enabled is false while no event is expected. */
  enabled?: boolean;
  onEvent: (event: StreamEvent) => void;
  /** onLive hears what running calls do. */
  onLive?: (event: LiveEvent) => void;
  /** onOpen is called each time the stream opens, to read anew what may have changed before. */
  onOpen?: () => void;
}

/** useEvents follows the events of the workspace, or of one experiment, while the component is mounted. */
export function useEvents({ experiment, enabled = true, onEvent, onLive, onOpen }: EventsOptions): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const latest = useRef({ onEvent, onLive, onOpen });
  useEffect(() => {
    latest.current = { onEvent, onLive, onOpen };
  });
  const live = onLive !== undefined;
  useEffect(() => {
    if (!enabled) return undefined;
    return follow({
      experiment,
      onEvent: (event) => latest.current.onEvent(event),
      onLive: live ? (event) => latest.current.onLive?.(event) : undefined,
      onState: (now) => {
        setState(now);
        if (now === "open") latest.current.onOpen?.();
      },
    });
  }, [experiment, enabled, live]);
  return state;
}

/** useThrottled gives a function that runs act, at most once in so many milliseconds: the first call starts the wait, and those during it are one with it. */
export function useThrottled(act: () => void, every: number | (() => number) = 1_000): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useRef(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, typeof every === "number" ? every : every());
  }).current;
}
