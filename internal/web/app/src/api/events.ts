import { useEffect, useRef, useState } from "react";
import { Base, type Schemas } from "./client";

/** StreamEvent is one message of /events. */
export type StreamEvent = Schemas["EventData"];

/** StreamState says whether news come by themselves. While the stream is not open, a page asks for them. */
export type StreamState = "connecting" | "open" | "broken";

interface FollowOptions {
  /** experiment narrows the stream to one experiment. */
  experiment?: string | undefined;
  onEvent: (event: StreamEvent) => void;
  onState: (state: StreamState) => void;
}

/** Kinds are the names of the messages that the service sends. */
const Kinds = ["experiment", "call", "live"];

const FirstPause = 2_000;
const LongestPause = 30_000;

/**
 * follow listens to /events until the returned function is called. The browser goes on after a break by itself; where it gives up (the service said
 * no), follow tries again after a while, with the number of the last message. A hidden page holds no connection, for a browser has few of them.
 */
export function follow({ experiment, onEvent, onState }: FollowOptions): () => void {
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
    const event = read(message.data);
    if (event) onEvent(event);
  };
  const open = () => {
    close();
    const query = new URLSearchParams();
    if (experiment) query.set("voice_experiment_id", experiment);
    if (last) query.set("after", last);
    const at = query.size > 0 ? `${Base}/events?${query}` : `${Base}/events`;
    const now = new EventSource(at);
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

function read(data: string): StreamEvent | undefined {
  try {
    return JSON.parse(data) as StreamEvent;
  } catch {
    return undefined;
  }
}

interface EventsOptions {
  /** experiment narrows the stream to one experiment. */
  experiment?: string | undefined;
  /** enabled is false while there is nothing to wait for. */
  enabled?: boolean;
  onEvent: (event: StreamEvent) => void;
  /** onOpen is told each time the stream begins, for what may have happened before. */
  onOpen?: () => void;
}

/** useEvents follows what happens in the workspace, or in one experiment, while the component is there. */
export function useEvents({ experiment, enabled = true, onEvent, onOpen }: EventsOptions): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const latest = useRef({ onEvent, onOpen });
  useEffect(() => {
    latest.current = { onEvent, onOpen };
  });
  useEffect(() => {
    if (!enabled) return undefined;
    return follow({
      experiment,
      onEvent: (event) => latest.current.onEvent(event),
      onState: (now) => {
        setState(now);
        if (now === "open") latest.current.onOpen?.();
      },
    });
  }, [experiment, enabled]);
  return state;
}

/** useSettled gives a function that calls act once things are quiet, and at the latest every so many milliseconds while they are not. */
export function useSettled(act: () => void, every = 1_000): () => void {
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
    }, every);
  }).current;
}
