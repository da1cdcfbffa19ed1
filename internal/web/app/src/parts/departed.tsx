import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { around, callsOf, type Departure, distinct, reasonsOf, whoseCalls } from "./departures";
import classes from "./departed.module.css";
import { brief, moment, zoneName } from "./format";
import { Go } from "./go";
import { labelOf, valueText } from "./metrics";

interface DepartedProps {
  departures: Departure[];
  /** nameOf gives the name of an agent; null stands for all agents. */
  nameOf: (id: string | null) => string;
  /** all is the search of the page that lists those beyond the first few. */
  all: { search: object };
}

const Most = 8;

/** Departed lists what departed from the usual, a line each: by how much, whose calls, since when. Each leads to its course and to its calls. */
export function Departed({ departures, nameOf, all }: DepartedProps) {
  const told = distinct(departures);
  if (told.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="What departed from the usual">
      {told.slice(0, Most).map((departure) => (
        <Told key={`${departure.metric} ${departure.agent_id} ${departure.dimension} ${departure.value} ${departure.start}`} departure={departure} nameOf={nameOf} />
      ))}
      {told.length > Most && (
        <li className={classes.row}>
          <Go to="/monitor/anomalies" {...all}>
            and {told.length - Most} more
          </Go>
        </li>
      )}
    </ul>
  );
}

function Told({ departure: a, nameOf }: { departure: Departure; nameOf: DepartedProps["nameOf"] }) {
  const reasons = reasonsOf(a);
  return (
    <li className={classes.row}>
      <Go to="/monitor/trends" search={{ ...around(a), metric: a.metric }}>
        {labelOf(a.metric)}
      </Go>
      <span className="rt-words">{whoseCalls(a, nameOf)}</span>
      <span>
        <span className={classes.seen}>{valueText(a.seen, a.unit)}</span> <Dim>usually {valueText(a.expected, a.unit)}</Dim>
      </span>
      <Dim>
        {a.open ? "since " : ""}
        <Moment at={a.start} />
        {!a.open && (
          <>
            {" to "}
            <Moment at={a.end} />
          </>
        )}
      </Dim>
      <span className={classes.leads}>
        {reasons && <Go {...reasons}>{reasons.label}</Go>}
        <Go {...callsOf(a)}>Calls</Go>
      </span>
    </li>
  );
}

/** Because gives the first departure as the reason for a verdict, or the first sentence when there is none. */
export function Because({ departures, sentences }: { departures: Departure[]; sentences: string[] }) {
  const [first, ...others] = distinct(departures);
  if (!first) return <Dim>{sentences[0]}</Dim>;
  return (
    <>
      <Go to="/monitor/trends" search={{ ...around(first), metric: first.metric }} inText>
        {labelOf(first.metric)}
      </Go>{" "}
      {valueText(first.seen, first.unit)}, usually {valueText(first.expected, first.unit)}, since <Moment at={first.start} />
      {others.length > 0 && <Dim> and {others.length} more</Dim>}
    </>
  );
}

/** Moment is a time to the minute. It does without Time, which would add to the scripts of the first page: they are kept below a bound. */
function Moment({ at }: { at: number }) {
  const utc = new Date(at).toISOString();
  return (
    <time dateTime={utc} title={`${moment(at)} ${zoneName()} · ${utc}`}>
      {brief(at, Date.now())}
    </time>
  );
}

function Dim({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}
