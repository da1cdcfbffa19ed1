import { useEffect, useState, useSyncExternalStore } from "react";
import { Player } from "./player";

/** usePlayer is a player of one recording for as long as the page is shown. */
export function usePlayer(source: string | null, length: number, start: number): Player | null {
  const [player, setPlayer] = useState<Player | null>(null);
  useEffect(() => {
    const made = new Player(source, length, start);
    setPlayer(made);
    return () => made.close();
    // The start is where the page was opened; later moves are the player's own.
  }, [source, length]);
  return player;
}

/** usePlayerValue is a value of the player's that changes seldom: the component is drawn again only when it does. */
export function usePlayerValue<T extends string | number | boolean>(player: Player, value: (player: Player) => T): T {
  return useSyncExternalStore(player.subscribe, () => value(player));
}
