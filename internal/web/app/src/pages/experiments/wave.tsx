import { useComputedColorScheme } from "@mantine/core";
import { useInViewport, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef } from "react";

interface WaveProps {
  caller: number[];
  agent: number[];
  /** step is how much each peak covers, ms. */
  step: number;
  /** length is how long the call has been going on, ms; the peaks grow in place. */
  length: number;
}

/** Window is how much of a running call is drawn, in ms. */
const Window = 60_000;
const High = 48;

/** Wave draws the sound of a running call, the caller above and the agent below. Once it is full it scrolls. */
export function Wave({ caller, agent, step, length }: WaveProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme("light");
  const { ref, inViewport } = useInViewport<HTMLCanvasElement>();
  const both = useMergedRef(canvas, ref);
  useEffect(() => {
    if (inViewport && canvas.current) draw(canvas.current, caller, agent, step);
  }, [inViewport, caller, agent, step, length, scheme]);
  const loud = (peaks: number[]) => peaks.slice(-5).some((peak) => peak > 0.05);
  const who = loud(agent) ? "the agent speaks" : loud(caller) ? "the caller speaks" : "silence";
  return <canvas ref={both} role="img" aria-label={`Sound of both sides: ${who}`} style={{ width: "100%", height: High, display: "block" }} />;
}

function draw(canvas: HTMLCanvasElement, caller: number[], agent: number[], step: number) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const ratio = window.devicePixelRatio || 1;
  const wide = canvas.clientWidth;
  const [w, h] = [Math.round(wide * ratio), Math.round(High * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, wide, High);
  const style = getComputedStyle(canvas);
  const many = Math.round(Window / step);
  const from = Math.max(0, Math.max(caller.length, agent.length) - many);
  const each = wide / many;
  const middle = High / 2;
  pen.fillStyle = style.getPropertyValue("--rt-line");
  pen.fillRect(0, middle - 0.5, wide, 1);
  for (const [peaks, colour, up] of [[caller, "--rt-caller", true], [agent, "--rt-agent", false]] as const) {
    pen.fillStyle = style.getPropertyValue(colour);
    for (let i = from; i < peaks.length; i++) {
      const high = Math.min(1, Math.sqrt(peaks[i] ?? 0)) * (middle - 2);
      if (high > 0.3) pen.fillRect((i - from) * each, up ? middle - 1 - high : middle + 1, Math.max(0.75, each - 0.5), high);
    }
  }
}
