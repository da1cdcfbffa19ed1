import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { Base, type Schemas } from "../../api/client";
import { duration, plain } from "../../parts/format";
import classes from "./call.module.css";

type Message = Schemas["LiveCall"];
type Said = Schemas["LiveSaid"];

interface Now {
  state: string;
  at: number;
  said: Said[];
}

/** Live is what a running call does at the moment: how far it is, and what was said so far. */
export function Live({ id }: { id: string }) {
  const now = useLive(id);
  if (!now) return null;
  return (
    <section className="rt-panel" aria-label="The call as it goes on" aria-live="polite" style={{ padding: "8px 0" }}>
      <Text size="sm" px="sm" fw={600}>
        {plain(now.state)} · {duration(now.at)}
      </Text>
      {now.said.map((one) => (
        <div key={`${one.speaker} ${one.start_ms}`} className={classes.line} data-side={one.speaker}>
          <span className={classes.aside}>{duration(one.start_ms)}</span>
          <span className={classes.who}>{one.speaker}</span>
          <span className="rt-words">{one.text}</span>
        </div>
      ))}
    </section>
  );
}

/** useLive follows one call on the stream of events; null until it tells of it. */
function useLive(id: string): Now | null {
  const [now, setNow] = useState<Now | null>(null);
  useEffect(() => {
    const stream = new EventSource(`${Base}/events`);
    const hear = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as Message;
      if (message.call_id === id) setNow((before) => ({ state: message.state, at: message.t_ms, said: [...(before?.said ?? []), ...(message.said ?? [])] }));
    };
    stream.addEventListener("live", hear);
    return () => stream.close();
  }, [id]);
  return now;
}
