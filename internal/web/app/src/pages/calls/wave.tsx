import { ActionIcon, Group, Text, Tooltip, useComputedColorScheme } from "@mantine/core";
import { IconArrowsHorizontal, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../../api/client";
import { duration, plain } from "../../parts/format";
import { usePaper } from "../../parts/paper";
import classes from "./call.module.css";
import type { Feel, Outline } from "./draw";
import type { Player } from "./player";
import { type Parts, Peaks, Stage } from "./stage";
import type { Story, Stretch } from "./story";
import type { Detail } from "./types";
import { usePlayerValue } from "./useplayer";
import type { Tile } from "./view";

/** Wave shows the call over time: the sound of both sides with everything that was found marked in it, the feeling below, and a map of the whole call. */
export function Wave({ call, story, player }: { call: Detail; story: Story; player: Player }) {
  const parts = useRef<Partial<Parts>>({});
  const [stage, setStage] = useState<Stage | null>(null);
  const scheme = useComputedColorScheme("light");
  const second = usePlayerValue(player, (p) => Math.floor(p.time));
  const content = useMemo(() => ({ story, feels: feelsOf(call), turns: spokenOf(call), fetchTile: call.audio ? fetcher(call.id, player.length) : null }), [call, story, player]);
  useEffect(() => {
    const made = new Stage(parts.current as Parts, player, content);
    setStage(made);
    return () => made.close();
  }, [player, content]);
  const paper = usePaper();
  useEffect(() => stage?.recolor(paper), [stage, scheme, paper]);
  useWheel(stage, parts);
  const to = (event: PointerEvent) => stage && player.seek(stage.timeAt(event.clientX));
  const place = <Part extends keyof Parts>(name: Part) => (element: Parts[Part] | null) => {
    if (element) parts.current[name] = element;
  };
  return (
    <div>
      <div className={classes.wave}>
        <canvas
          ref={place("canvas")}
          role="slider"
          tabIndex={0}
          aria-label="Position in the call"
          aria-valuemin={0}
          aria-valuemax={Math.round(player.length)}
          aria-valuenow={second}
          aria-valuetext={`${duration(second * 1000)} of ${duration(player.length * 1000)}`}
          onPointerDown={(event) => event.button === 0 && to(event)}
          onPointerMove={(event) => (event.buttons === 1 ? to(event) : stage?.point(event.clientX, event.clientY))}
          onPointerLeave={() => stage?.point(-1, -1)}
        />
        <div ref={place("head")} className={classes.head} />
        <div ref={place("tip")} className={classes.tip} aria-hidden />
      </div>
      <div className={classes.map} onPointerDown={(event) => stage?.center(event.clientX)} onPointerMove={(event) => event.buttons === 1 && stage?.center(event.clientX)} aria-hidden>
        <canvas ref={place("map")} />
        <div ref={place("window")} className={classes.window} />
        <div ref={place("mapHead")} className={classes.mapHead} />
      </div>
      <Group justify="space-between" px="xs" py={6} gap={6}>
        <Legend story={story} feels={content.feels.length > 0} sound={call.audio !== null} />
        {stage && <Zoom stage={stage} />}
      </Group>
    </div>
  );
}

function Zoom({ stage }: { stage: Stage }) {
  const button = (label: string, icon: React.ReactNode, act: () => void) => (
    <Tooltip label={label}>
      <ActionIcon color="gray" aria-label={label} onClick={act}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Group gap={2}>
      {button("Zoom in", <IconZoomIn size={16} />, () => stage.zoom(2))}
      {button("Zoom out", <IconZoomOut size={16} />, () => stage.zoom(0.5))}
      {button("Show the whole call", <IconArrowsHorizontal size={16} />, () => stage.whole())}
    </Group>
  );
}

const FeltLine = "the caller's feeling";

function Legend({ story, feels, sound }: { story: Story; feels: boolean; sound: boolean }) {
  const parts: [string, string][] = [
    ["caller", sound ? "caller (above)" : "caller's turns (above)"], ["agent", sound ? "agent (below)" : "agent's turns (below)"],
    ...(story.overlaps.length > 0 ? [["warn", `overlap (${story.overlaps.length})`] as [string, string]] : []),
    ...(story.silences.length > 0 ? [["void", `dead air (${story.silences.length})`] as [string, string]] : []),
    ...(story.findings.length > 0 ? [["failed", `finding (${story.findings.length})`] as [string, string]] : []),
    ...(feels ? [["caller", FeltLine] as [string, string]] : []),
  ];
  return (
    <Group gap="sm">
      {parts.map(([color, text]) => (
        <Text key={text} size="xs" c="dimmed" component="span">
          <span className={classes.swatch} style={{ background: `var(--rt-${color})`, ...(text === FeltLine && { height: 2, width: 14, verticalAlign: "middle" }) }} /> {text}
        </Text>
      ))}
    </Group>
  );
}

/** useWheel zooms with Ctrl and scrolls sideways; vertical scrolling is left to the page. The listener is added by hand, since React's are passive and could not prevent the default. */
function useWheel(stage: Stage | null, parts: RefObject<Partial<Parts>>) {
  useEffect(() => {
    const element = parts.current.canvas;
    if (!stage || !element) return undefined;
    const wheel = (event: WheelEvent) => {
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        stage.zoom(Math.exp(-event.deltaY / 240), stage.timeAt(event.clientX));
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        stage.scroll(sideways / 1000);
      }
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [stage, parts]);
}

/** spokenOf are the turns with a known time, by side. */
function spokenOf(call: Detail): { caller: Stretch[]; agent: Stretch[] } {
  const of = (side: string) => call.turns.filter((turn) => turn.speaker === side && turn.start_ms >= 0).map((turn) => ({ start: turn.start_ms, end: Math.max(turn.end_ms, turn.start_ms + 200) }));
  return { caller: of("caller"), agent: of("agent") };
}

function feelsOf(call: Detail): Feel[] {
  return call.turns.flatMap((turn) => {
    if (!turn.feeling || turn.start_ms < 0) return [];
    const { sentiment, valence, frustration, signs } = turn.feeling;
    const text = [sentiment ?? "feeling", valence?.toFixed(2), frustration >= 0.3 ? `frustration ${frustration.toFixed(2)}` : "", ...signs.map(plain)].filter(Boolean).join(" · ");
    return [{ at: (turn.start_ms + Math.max(turn.end_ms, turn.start_ms)) / 2000, valence, upset: call.feeling?.upset_turn === turn.index, text }];
  });
}

/** fetcher asks for outlines of a call that is so many seconds long. */
function fetcher(id: string, length: number) {
  return async ({ level, place }: Tile, signal: AbortSignal): Promise<Outline> => {
    const size = (length / 2 ** level) * 1000;
    const stretch = level === 0 ? {} : { from_ms: Math.round(place * size), until_ms: Math.round((place + 1) * size) };
    const { data, error } = await api.GET("/calls/{id}/peaks", { params: { path: { id }, query: { n: Peaks, ...stretch } }, signal });
    if (error !== undefined) throw error;
    return { from: data.from_ms / 1000, until: data.until_ms / 1000, caller: data.caller, agent: data.agent };
  };
}
