import { useEffect, useState, useSyncExternalStore } from "react";
import { Player } from "./player";

/** usePlayer is a Player for one recording, closed when the component is unmounted. */
export function usePlayer(source: string | null, length: number, start: number): Player | null {
  const [player, setPlayer] = useState<Player | null>(null);
  useEffect(() => {
    const made = new Player(source, length, start);
    setPlayer(made);
    return () => made.close();
    // start is only where the page was opened; the player keeps its own place afterwards.
  }, [source, length]);
  return player;
}

/** usePlayerValue reads a value of the player. The component is rendered only when it changes, so value should round what changes with each frame. */
export function usePlayerValue<T extends string | number | boolean>(player: Player, value: (player: Player) => T): T {
  return useSyncExternalStore(player.subscribe, () => value(player));
}
