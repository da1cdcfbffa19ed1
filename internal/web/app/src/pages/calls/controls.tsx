import { ActionIcon, Button, Group, NativeSelect, Text, Tooltip } from "@mantine/core";
import { IconEar, IconEarOff, IconPlayerPauseFilled, IconPlayerPlayFilled, IconRewindBackward5, IconRewindForward5 } from "@tabler/icons-react";
import { useEffect } from "react";
import { Copy } from "../../parts/copy";
import { duration } from "../../parts/format";
import classes from "./call.module.css";
import { type Player, Rates, type Side } from "./player";
import { usePlayerValue } from "./useplayer";

/** Controls play the recording. apart says that each side has a channel of its own, so that one can be muted. */
export function Controls({ player, id, apart }: { player: Player; id: string; apart: boolean }) {
  const playing = usePlayerValue(player, (p) => p.playing);
  const playable = usePlayerValue(player, (p) => p.playable);
  const second = usePlayerValue(player, (p) => Math.floor(p.time));
  const rate = usePlayerValue(player, (p) => p.rate);
  const link = `${window.location.origin}/calls/${encodeURIComponent(id)}?t=${second}`;
  return (
    <Group className={classes.controls} gap="xs">
      <Tooltip label={playing ? "Pause (Space)" : "Play (Space)"}>
        <ActionIcon variant="filled" size="lg" radius="xl" aria-label={playing ? "Pause" : "Play"} disabled={!playable} onClick={player.toggle}>
          {playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
        </ActionIcon>
      </Tooltip>
      <ActionIcon color="gray" aria-label="Back 5 seconds" onClick={() => player.seek(player.time - 5)}>
        <IconRewindBackward5 size={18} />
      </ActionIcon>
      <ActionIcon color="gray" aria-label="Forward 5 seconds" onClick={() => player.seek(player.time + 5)}>
        <IconRewindForward5 size={18} />
      </ActionIcon>
      <Text size="sm" className={classes.clock}>
        {duration(second * 1000)} / {duration(player.length * 1000)}
      </Text>
      {playable && (
        <>
          <NativeSelect size="xs" aria-label="Speed" value={String(rate)} onChange={(event) => player.setRate(Number(event.currentTarget.value))} data={Rates.map((value) => ({ value: String(value), label: `${value} ×` }))} w={76} />
          {apart && <Mute player={player} side="caller" />}
          {apart && <Mute player={player} side="agent" />}
        </>
      )}
      <Group gap={2}>
        <Copy value={link} label="Copy link to this second" />
        <Text size="xs" c="dimmed" visibleFrom="sm">
          link to {duration(second * 1000)}
        </Text>
      </Group>
    </Group>
  );
}

function Mute({ player, side }: { player: Player; side: Side }) {
  const muted = usePlayerValue(player, (p) => p.muted[side]);
  return (
    <Tooltip label={muted ? `Unmute the ${side}` : `Mute the ${side}`}>
      <Button
        size="compact-xs"
        variant={muted ? "light" : "subtle"}
        color="gray"
        aria-pressed={muted}
        aria-label={`Mute the ${side}`}
        leftSection={muted ? <IconEarOff size={14} /> : <IconEar size={14} />}
        onClick={() => player.mute(side, !muted)}
      >
        {muted ? `${side} muted` : side}
      </Button>
    </Tooltip>
  );
}

/**
 * usePlayerKeys lets Space play, the arrow keys move, and < and > change the speed, unless the focus is on something that uses these keys itself. Buttons that seek
 * (data-moment) do not count: whoever has just clicked one wants to hear what is there, so Space plays.
 */
export function usePlayerKeys(player: Player | null) {
  useEffect(() => {
    if (!player) return undefined;
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [role=dialog], [role=tablist], [role=menu]")) return;
      if (event.key === " " && !target.closest("button:not([data-moment]), a, summary")) player.toggle();
      else if (event.key === "Home" && target.role === "slider") player.seek(0);
      else if (event.key === "End" && target.role === "slider") player.seek(player.length);
      else if (event.key === "ArrowLeft") player.seek(player.time - 5);
      else if (event.key === "ArrowRight") player.seek(player.time + 5);
      else if (event.key === "<") player.hasten(-1);
      else if (event.key === ">") player.hasten(1);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [player]);
}
