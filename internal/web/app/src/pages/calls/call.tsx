import { Anchor, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { Base, queries } from "../../api/client";
import { Empty } from "../../parts/empty";
import { moment } from "../../parts/format";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";
import classes from "./call.module.css";
import { Controls, usePlayerKeys } from "./controls";
import { Actions, Banners, Summary } from "./head";
import { Live } from "./live";
import { Metrics } from "./metrics";
import type { Player } from "./player";
import type { CallSearch } from "./routes";
import { Scores } from "./scores";
import { DetailsPanel, LinePanel, PlatformPanel, RawPanel } from "./side";
import { type Story, storyOf } from "./story";
import { Transcript } from "./transcript";
import { type Detail, moving, onLine } from "./types";
import { usePlayerValue, usePlayer } from "./useplayer";
import { Wave } from "./wave";

const route = getRouteApi("/layout/calls/$id");

/** CallPage is everything about a call, simulated or production. */
export function CallPage() {
  const { id } = route.useParams() as { id: string };
  const { data, error } = queries.useQuery("get", "/calls/{id}", { params: { path: { id } } }, {
    refetchInterval: ({ state }) => (state.data && moving(state.data) ? 2_000 : false),
  });
  if (error != null && !data) {
    return (
      <Page title="Call" up={{ to: "/calls", label: "All calls" }}>
        <ProblemBox error={error} />
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title="Call" up={{ to: "/calls", label: "All calls" }}>
        <div aria-busy aria-label="Loading">
          <Skeleton height={210} mb="md" />
          <Skeleton height={380} />
        </div>
      </Page>
    );
  }
  return <Loaded key={id} call={data} error={error} />;
}

/** Loaded shows a call. error, if there is one, says why what is shown may be out of date. */
function Loaded({ call, error }: { call: Detail; error: unknown }) {
  const { data: agent } = queries.useQuery("get", "/agents/{id}", { params: { path: { id: call.agent_id ?? "" } } }, { enabled: call.agent_id !== null, staleTime: 60_000 });
  const name = agent?.name ?? call.agent_id ?? "";
  const story = useMemo(() => storyOf(call), [call]);
  const { t, turn } = route.useSearch() as CallSearch;
  const opened = useRef(t ?? (call.turns.find((one) => one.index === turn)?.start_ms ?? 0) / 1000);
  const source = call.audio ? `${Base}/calls/${encodeURIComponent(call.id)}/recording` : null;
  const player = usePlayer(source, story.length / 1000, opened.current);
  usePlayerKeys(player);
  return (
    <Page title={`Call ${name ? `with ${name}` : ""}`.trim()} name={`Call ${moment(call.started_at ?? call.created_at)}`} up={{ to: "/calls", label: "All calls" }} actions={<Actions call={call} />}>
      {error != null && <ProblemBox error={error} />}
      <Summary call={call} agent={name} />
      <Banners call={call} seek={(ms) => player?.seek(ms / 1000)} />
      {onLine(call) && <Live id={call.id} experiment={call.voice_experiment_id} />}
      {player && <Sound call={call} story={story} player={player} />}
      <div className={classes.columns}>
        {player && story.entries.length > 0 ? <Transcript story={story} player={player} selfTest={call.self_test_grade} /> : <NoWords call={call} />}
        <Panels call={call} seek={(ms) => player?.seek(ms / 1000)} />
      </div>
    </Page>
  );
}

/** Sound is the player with the drawing of the call. Without a recording the turns can still be drawn, if their times are known. */
function Sound({ call, story, player }: { call: Detail; story: Story; player: Player }) {
  useAddress(player);
  const failed = usePlayerValue(player, (p) => p.failed);
  const drawn = call.audio !== null || story.timed;
  if (!drawn) return null;
  return (
    <section className="rt-panel" aria-label="Recording">
      <Controls player={player} id={call.id} apart={call.audio?.mixed === false} />
      {failed && (
        <Text size="sm" px="sm" py={6} role="alert" style={{ color: "var(--rt-failed)" }}>
          The recording cannot be played right now. It may have been deleted, or the service does not answer. What was measured on it is still shown below.{" "}
          <Anchor component="button" type="button" size="sm" inherit c="inherit" td="underline" onClick={player.again}>
            Try again
          </Anchor>
        </Text>
      )}
      {!call.audio && (
        <Text size="sm" c="dimmed" px="sm" py={6}>
          {call.keeps === "everything" ? "There is no recording of this call." : "The recording is not kept."} The turns are drawn from the times in the transcript.
        </Text>
      )}
      <Wave call={call} story={story} player={player} />
    </section>
  );
}

/** useAddress keeps the current second in the address, so that it can be shared. Not while the recording plays: that would be a navigation several times a second. */
function useAddress(player: Player) {
  const navigate = useNavigate();
  const time = usePlayerValue(player, (p) => (p.playing ? -1 : Math.round(p.time * 10) / 10));
  const first = useRef(true);
  useEffect(() => {
    if (first.current || time < 0) {
      first.current = false;
      return undefined;
    }
    const timer = setTimeout(() => {
      void navigate({ to: ".", search: (before: CallSearch) => ({ ...before, turn: undefined, t: time || undefined }), replace: true, resetScroll: false } as never);
    }, 250);
    return () => clearTimeout(timer);
  }, [time, navigate]);
}

/** NoWords says why there is no transcript. */
function NoWords({ call }: { call: Detail }) {
  if (onLine(call)) return <Empty title="No transcript yet">The call is transcribed when it is over.</Empty>;
  if (call.keeps === "basics") return <Empty title="No transcript">What was said is not kept.</Empty>;
  if (call.answered_at === null) return <Empty title="Nothing was said">The call was never answered.</Empty>;
  if (moving(call)) return <Empty title="The call is being transcribed">This page updates by itself when the review is done.</Empty>;
  return <Empty title="No transcript">The call was not transcribed{call.audio ? "; you can listen to the recording." : ", and there is no recording."}</Empty>;
}

/** showChosen scrolls the open tab into view: on a phone not all tabs fit. */
function showChosen(list: HTMLElement | null) {
  const chosen = list?.querySelector<HTMLElement>("[aria-selected=true]");
  if (list && chosen) list.scrollLeft += Math.max(0, chosen.getBoundingClientRect().right - list.getBoundingClientRect().right);
}

const Panes: [string, string][] = [["scores", "Scores"], ["metrics", "Metrics"], ["line", "Line"], ["platform", "Platform"], ["details", "Details"], ["raw", "Raw"]];

function Panels({ call, seek }: { call: Detail; seek: (ms: number) => void }) {
  const { tab } = route.useSearch() as CallSearch;
  const navigate = useNavigate();
  const open = (value: string | null) => void navigate({ to: ".", search: (before: CallSearch) => ({ ...before, tab: value === "scores" ? undefined : (value ?? undefined) }), replace: true, resetScroll: false } as never);
  const current = Panes.some(([value]) => value === tab) ? tab : "scores";
  const failed = call.scores.filter((score) => score.verdict === "failed").length;
  return (
    <Stack className="rt-panel" gap={0} component="section" aria-label="Findings">
      <Tabs value={current} onChange={open} keepMounted={false}>
        <Tabs.List ref={showChosen} style={{ overflowX: "auto", flexWrap: "nowrap" }}>
          {Panes.map(([value, label]) => (
            <Tabs.Tab key={value} value={value} px={{ base: "sm", md: 9, lg: "sm" }}>
              {label}
              {value === "scores" && failed > 0 ? ` (${failed} failed)` : ""}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="scores"><Scores call={call} seek={seek} /></Tabs.Panel>
        <Tabs.Panel value="metrics"><Metrics call={call} /></Tabs.Panel>
        <Tabs.Panel value="line"><LinePanel call={call} /></Tabs.Panel>
        <Tabs.Panel value="platform"><PlatformPanel call={call} /></Tabs.Panel>
        <Tabs.Panel value="details"><DetailsPanel call={call} /></Tabs.Panel>
        <Tabs.Panel value="raw"><RawPanel call={call} /></Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

