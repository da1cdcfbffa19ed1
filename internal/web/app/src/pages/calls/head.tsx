import { ActionIcon, Alert, Anchor, Button, Group, Text, Tooltip } from "@mantine/core";
import { IconBan, IconChevronLeft, IconChevronRight, IconEyeOff, IconInfoCircle, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queries } from "../../api/client";
import { duration, plain, short } from "../../parts/format";
import { Go } from "../../parts/go";
import { Time } from "../../parts/time";
import { CallOutcome } from "../../parts/verdict";
import { useMay } from "../../shell/session";
import classes from "./call.module.css";
import { Felt } from "./columns";
import { ReviewAgain } from "./review";
import { trailOf } from "./trail";
import { type Detail, onLine } from "./types";

/** Actions are the buttons at the top of a call. */
export function Actions({ call }: { call: Detail }) {
  const may = useMay("member");
  return (
    <>
      <Neighbours id={call.id} />
      {may && <ReviewAgain call={call} />}
      {may && (
        <Button variant={call.origin === "simulated" ? "default" : "filled"} leftSection={<IconPlus size={15} />} renderRoot={(props) => <Link {...props} to="/datasets" search={{ from_calls: call.id }} />}>
          Make a scenario from this call
        </Button>
      )}
    </>
  );
}

/** Neighbours leads to the calls before and after this one in the list that somebody came from. */
function Neighbours({ id }: { id: string }) {
  const trail = trailOf(id);
  if (!trail) return null;
  const step = (to: string | undefined, label: string, icon: ReactNode) => (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={32} aria-label={label} disabled={!to} renderRoot={(props) => (to ? <Link {...props} to="/calls/$id" params={{ id: to }} /> : <button type="button" {...props} />)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Group gap={4}>
      {step(trail.before, "Previous call in the list", <IconChevronLeft size={16} />)}
      <Text size="xs" c="dimmed">
        {trail.place} of {trail.of}
      </Text>
      {step(trail.after, "Next call in the list", <IconChevronRight size={16} />)}
    </Group>
  );
}

/** Summary is a call in a line: verdict, agent, time, length, how it ended and felt. */
export function Summary({ call, agent }: { call: Detail; agent: string }) {
  const { code, blame, detail } = call.end_reason;
  return (
    <Group gap={0} className={classes.summary}>
      <CallOutcome call={call} />
      {call.status !== "ENDED" && call.verdict && <Dot>{call.status === "FAILED" ? "never answered" : plain(call.status.toLowerCase())}</Dot>}
      {call.agent_id && (
        <Dot>
          <Link to="/agents/$id" params={{ id: call.agent_id }}>
            {agent}
          </Link>
        </Dot>
      )}
      <Dot>{call.origin}</Dot>
      {call.voice_experiment_id && (
        <>
          <Scenario experiment={call.voice_experiment_id} item={call.dataset_item_id} />
          <Dot>
            <Link to="/experiments/$id" params={{ id: call.voice_experiment_id }}>
              experiment
            </Link>
          </Dot>
        </>
      )}
      <Dot>
        <span>
          <Time at={call.started_at ?? call.created_at} exact="zoned" /> (<Time at={call.started_at ?? call.created_at} />)
        </span>
      </Dot>
      {call.duration_ms !== null && <Dot>{duration(call.duration_ms)}</Dot>}
      {code && (
        <Dot>
          <span title={detail ?? undefined}>
            {plain(code)}
            {blame && blame !== "nobody" && ` (${blame})`}
          </span>
        </Dot>
      )}
      {call.turn_latency_ms !== null && <Dot>latency p50 {short(call.turn_latency_ms)}</Dot>}
      {(call.caller_sentiment || call.caller_upset) && (
        <Dot>
          <Felt sentiment={call.caller_sentiment} upset={call.caller_upset} />
        </Dot>
      )}
    </Group>
  );
}

/** Scenario leads to what the caller played, in the version that was played. */
function Scenario({ experiment, item }: { experiment: string; item: string | null }) {
  const { data: of } = queries.useQuery("get", "/voice-experiments/{id}", { params: { path: { id: experiment } } }, { staleTime: 60_000 });
  const dataset = of?.dataset_id ?? "";
  const { data: played } = queries.useQuery(
    "get", "/datasets/{id}/items/{item_id}", { params: { path: { id: dataset, item_id: item ?? "" }, query: { version: of?.dataset_version } } },
    { enabled: Boolean(dataset && item), staleTime: Number.POSITIVE_INFINITY, retry: false },
  );
  if (!item || !played) return null;
  return (
    <Dot>
      <span className="rt-words">
        scenario{" "}
        <Go to="/datasets/$id" params={{ id: dataset }} search={{ item, version: of?.dataset_version }}>
          <bdi>{played.key || played.input?.goal || "that was played"}</bdi>
        </Go>
      </span>
    </Dot>
  );
}

function Dot({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" component="span" className={classes.fact}>
      {children}
    </Text>
  );
}

/** Banners say what one must know about a call to read the rest of the page. */
export function Banners({ call, seek }: { call: Detail; seek: (ms: number) => void }) {
  const shows = call.scores.find((score) => score.verdict === "failed" && score.required && score.evidence.length)?.evidence?.[0];
  return (
    <>
      {call.verdict === "void" && (
        <Banner tone="void" color="yellow" icon={<IconBan size={18} />} title="Void: this call does not count against the agent">
          {call.verdict_reason || "Something went wrong on Ringtrue's side."}
        </Banner>
      )}
      {call.verdict === "failed" && call.verdict_reason && (
        <Banner tone="failed" color="red" icon={<IconInfoCircle size={18} />} >
          <b style={{ color: "var(--rt-failed)" }}>Failed.</b> {call.verdict_reason}{" "}
          {shows && shows.start_ms >= 0 && call.audio && (
            <Anchor component="button" type="button" size="sm" fw={600} c="var(--rt-failed)" data-moment onClick={() => seek(shows.start_ms)}>
              Go to {duration(shows.start_ms)}
            </Anchor>
          )}
        </Banner>
      )}
      {call.keeps !== "everything" && (
        <Banner tone="open" color="gray" icon={<IconEyeOff size={18} />} title={call.keeps === "basics" ? "What was said is not kept" : "Personal data is not kept"}>
          {call.keeps === "basics"
            ? "The caller or the client opted out. Only times, end reason, latency and cost are kept. The recording, transcript and raw record were erased or never stored."
            : "The caller or the client opted out. No recording, phone number or raw record is kept, and words only where the platform has scrubbed them."}
        </Banner>
      )}
      {onLine(call) && (
        <Banner tone="running" color="blue" icon={<IconInfoCircle size={18} />} title={call.status === "QUEUED" ? "The call is waiting for its turn" : "The call is in progress"}>
          The recording, transcript and verdict appear here when it is over. This page updates by itself.
        </Banner>
      )}
      {call.scoring_status === "SCORING_FAILED" && (
        <Banner tone="failed" color="red" icon={<IconInfoCircle size={18} />} title="The call could not be reviewed">
          {call.verdict_reason || "What was found before that is shown."}
        </Banner>
      )}
      {call.notes.map((note) => (
        <Banner key={note} tone="open" color="gray" icon={<IconInfoCircle size={18} />}>
          {note}
        </Banner>
      ))}
    </>
  );
}

function Banner({ tone, color, icon, title, children }: { tone: string; color: string; icon: ReactNode; title?: string; children?: ReactNode }) {
  return (
    <Alert role="note" color={color} variant="light" icon={icon} title={title} py="xs" styles={{ title: { color: `var(--rt-${tone})` } }}>
      {children && (
        <Text size="sm" className="rt-words">
          {children}
        </Text>
      )}
    </Alert>
  );
}
