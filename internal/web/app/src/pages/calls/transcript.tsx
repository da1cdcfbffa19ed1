import { Button, Group, Text, TextInput } from "@mantine/core";
import { IconArrowDown, IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { count, counted } from "../../parts/format";
import { usePaperOf } from "../../parts/paper";
import classes from "./call.module.css";
import { Line } from "./line";
import type { Player } from "./player";
import { type Entry, entryAt, type Story } from "./story";
import { usePlayerValue } from "./useplayer";

/** Transcript is the conversation. It follows the playback until somebody scrolls. */
export function Transcript({ story, player, selfTest }: { story: Story; player: Player; selfTest: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [follows, setFollows] = useState(true);
  const current = usePlayerValue(player, (p) => (story.timed ? entryAt(story, p.time * 1000) : -1));
  const found = useMemo(() => matching(story.entries, query), [story, query]);
  const shown = query.trim() === "" ? story.entries : found;
  const paper = usePaperOf(frame);
  const virtual = useVirtualizer({
    count: shown.length, getScrollElement: () => frame.current, estimateSize: () => 52, overscan: paper ? shown.length : 12,
    getItemKey: (index) => shown[index]?.key ?? index,
  });
  const place = current < 0 ? -1 : shown.indexOf(story.entries[current] as Entry);
  useEffect(() => {
    if (follows && place >= 0) virtual.scrollToIndex(place, { align: "center" });
    // virtual never changes; only the place matters.
  }, [place, follows]);
  const seek = useCallback((ms: number) => player.seek(ms / 1000), [player]);
  const stop = () => setFollows(false);
  const press = (event: KeyboardEvent) => {
    if (!["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    stop();
    if ((event.key !== "Home" && event.key !== "End") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // The browser's own scrolling is cut short when lines that come into view turn out to have another height.
    event.preventDefault();
    virtual.scrollToIndex(event.key === "Home" ? 0 : shown.length - 1);
  };
  return (
    <section className="rt-panel" aria-label="Transcript" style={{ position: "relative" }}>
      <Group justify="space-between" px="sm" py={6} gap="xs">
        <TextInput type="search" size="xs" aria-label="Search the transcript" placeholder="Search the transcript" leftSection={<IconSearch size={13} />} value={query} onChange={(event) => setQuery(event.currentTarget.value)} />
        <Text size="xs" c="dimmed" role="status">
          {query.trim() === "" ? counted(story.entries.filter((entry) => entry.kind === "turn").length, "turn") : `${count(found.length)} found`}
        </Text>
      </Group>
      {selfTest && (
        <Text size="xs" px="sm" pb={4} style={{ color: "var(--rt-void)" }}>
          Self-test grade: what the agent said was transcribed by a recogniser that is good enough for synthetic voices only.
        </Text>
      )}
      <div ref={frame} className={classes.script} tabIndex={0} role="region" aria-label="Words" onWheel={stop} onTouchMove={stop} onKeyDown={press}>
        <div className={classes.lines} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const entry = shown[item.index];
            return entry ? (
              <div key={item.key} ref={virtual.measureElement} data-index={item.index} style={{ transform: `translateY(${item.start}px)` }}>
                <Line entry={entry} current={item.index === place} query={query.trim()} seek={seek} />
              </div>
            ) : null;
          })}
        </div>
      </div>
      {!follows && story.timed && place >= 0 && (
        <Button className={classes.follow} size="compact-xs" variant="default" leftSection={<IconArrowDown size={13} />} onClick={() => setFollows(true)}>
          Follow playback
        </Button>
      )}
    </section>
  );
}

/** matching are the entries that contain the query, ignoring case. */
export function matching(entries: Entry[], query: string): Entry[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return entries;
  return entries.filter((entry) => wordsOf(entry).toLowerCase().includes(wanted));
}

function wordsOf(entry: Entry): string {
  if (entry.kind === "turn") return entry.turn.text;
  if (entry.kind === "tool") return `${entry.tool.name} ${entry.tool.args} ${entry.tool.result ?? ""}`;
  return entry.kind === "note" ? entry.text : "";
}
