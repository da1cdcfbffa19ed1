import { Text } from "@mantine/core";
import { useState } from "react";
import { type LiveEvent, useEvents } from "../../api/events";
import { duration, plain } from "../../parts/format";
import classes from "./call.module.css";

interface Now {
  state: string;
  at: number;
  said: LiveEvent["said"];
}

interface LiveProps {
  id: string;
  /** experiment is what the call belongs to: the stream then leaves out the calls of all others. */
  experiment: string | null;
}

/** Live shows how far a running call is, and what was said so far. Screen readers read out the words, not the clock. */
export function Live({ id, experiment }: LiveProps) {
  const now = useLive(id, experiment);
  if (!now) return null;
  return (
    <section className="rt-panel" aria-label="Live call" style={{ padding: "8px 0" }}>
      <Text size="sm" px="sm" fw={600}>
        {plain(now.state)} · {duration(now.at)}
      </Text>
      <div role="log" aria-label="What was said">
        {now.said.map((one) => (
          <div key={`${one.speaker} ${one.start_ms} ${one.text}`} className={classes.line} data-side={one.speaker}>
            <span className={classes.aside}>{duration(one.start_ms)}</span>
            <span className={classes.who}>{one.speaker}</span>
            <span className="rt-words">{one.text}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** useLive follows one call on the event stream; null until there is a message about it. */
function useLive(id: string, experiment: string | null): Now | null {
  const [now, setNow] = useState<Now | null>(null);
  useEvents({
    experiment: experiment ?? undefined,
    onEvent: () => undefined,
    onLive: (event) => {
      if (event.call_id === id) setNow((before) => nextOf(event, before));
    },
  });
  return now;
}

/** nextOf adds a message to what is known of the call. When its clock goes back, a second attempt has begun, in which nothing was said yet. */
function nextOf(event: LiveEvent, last: Now | null): Now {
  const before = last && event.t_ms >= last.at ? last : null;
  return { state: event.state, at: event.t_ms, said: [...(before?.said ?? []), ...freshOf(event, before)] };
}

/** freshOf is what the message tells for the first time: after a reconnection the first message holds everything that was said. */
function freshOf({ said }: LiveEvent, before: Now | null): LiveEvent["said"] {
  const known = (one: LiveEvent["said"][number]) => before?.said.some((old) => old.speaker === one.speaker && old.start_ms === one.start_ms && old.text === one.text);
  return said.filter((one) => !known(one));
}
