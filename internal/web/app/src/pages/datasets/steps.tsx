import { ActionIcon, Button, Group, Input, NativeSelect, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCopyPlus, IconGripVertical, IconPlus } from "@tabler/icons-react";
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Adding, Entries, Remove } from "../../parts/remove";
import { listOf, moved, nameOf, type Place } from "./draft";
import { useField } from "./field";
import { PhrasesField } from "./fields";
import { Line, Millis, Whole } from "./stepfields";
import { freshCase, kindOf, KindOptions, Kinds } from "./stepkinds";
import classes from "./steps.module.css";

/** StepsField is what the caller does, step by step. Steps move with their arrows, with Alt and the arrow keys, or by dragging. */
export function StepsField({ place, label, hint }: { place: Place; label: string; hint?: string }) {
  const { value, set, error, readOnly } = useField(place);
  const [over, setOver] = useState<number>();
  const steps = listOf(value);
  const frame = useRef<HTMLDivElement>(null);
  const move = (from: number, to: number) => set(moved(steps, from, to));
  /** carry moves a step and takes the focus along to where it is then, so that pressing the same again moves the same step on. */
  const carry = (from: number, to: number) => {
    const part = partsOf(frame.current, from).findIndex((each) => each === document.activeElement);
    move(from, to);
    requestAnimationFrame(() => focusOn(partsOf(frame.current, to), part));
  };
  const drop = (event: DragEvent, to: number) => {
    const [list, from] = event.dataTransfer.getData("text/x-step").split(" ");
    setOver(undefined);
    if (list !== nameOf(place)) return;
    event.preventDefault();
    move(Number(from), to);
  };
  const add = (kind: string) => set([...steps, { [kind]: Kinds[kind]?.fresh }]);
  return (
    <Input.Wrapper inputWrapperOrder={["label", "description", "input", "error"]} label={label} description={hint} error={error} labelElement="div" {...Entries}>
      <div ref={frame} className={classes.list} role="list" aria-label={label} style={{ marginTop: 4 }}>
        {steps.map((_, n) => (
          <div
            key={n} role="listitem" className={classes.step} data-over={over === n || undefined} onDrop={(event) => drop(event, n)} onDragLeave={() => setOver(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              event.stopPropagation();
              setOver(n);
            }}
          >
            <Step
              place={[...place, n]} number={n + 1} count={steps.length} list={nameOf(place)} move={(to) => carry(n, to)} double={() => set(steps.toSpliced(n, 0, structuredClone(steps[n])))}
              remove={() => set(steps.length > 1 || place.length > 2 ? steps.toSpliced(n, 1) : undefined)}
            />
          </div>
        ))}
      </div>
      {!readOnly && (
        <Group gap={4} mt={6}>
          <AddStep add={add} kind="say">Say</AddStep>
          <AddStep add={add} kind="wait_for_agent">Wait for the agent</AddStep>
          <AddStep add={add} kind="hang_up">Hang up</AddStep>
          <NativeSelect
            size="xs" aria-label={`Add another step to ${label}`} value="" data={[{ value: "", label: "Other step…" }, ...KindOptions.filter((o) => !["say", "wait_for_agent", "hang_up"].includes(o.value))]}
            onChange={(event) => event.currentTarget.value && add(event.currentTarget.value)}
          />
        </Group>
      )}
    </Input.Wrapper>
  );
}

/** partsOf are the fields and buttons of a step, in order. */
function partsOf(list: HTMLElement | null, n: number): Element[] {
  return [...(list?.children[n]?.querySelectorAll("input, select, textarea, button") ?? [])];
}

/** focusOn gives the focus to a part of a step. The arrow of the first or last step may be disabled: then another of its buttons has it. */
function focusOn(parts: Element[], n: number) {
  const part = parts[n];
  const enabled = part?.matches(":disabled") ? [parts[n - 1], parts[n + 1]].find((other) => other && !other.matches(":disabled")) : part;
  if (enabled instanceof HTMLElement) enabled.focus();
}

function AddStep({ add, kind, children }: { add: (kind: string) => void; kind: string; children: ReactNode }) {
  return (
    <Button variant="subtle" size="compact-xs" leftSection={<IconPlus size={13} />} onClick={() => add(kind)} {...Adding}>
      {children}
    </Button>
  );
}

interface StepProps {
  place: Place;
  number: number;
  count: number;
  list: string;
  move: (to: number) => void;
  double: () => void;
  remove: () => void;
}

function Step({ place, number, count, list, move, double, remove }: StepProps) {
  const { value, set, error, readOnly } = useField(place);
  const kind = kindOf(value);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !step || readOnly) return;
    event.preventDefault();
    event.stopPropagation();
    move(number - 1 + step);
  };
  return (
    <div onKeyDown={press}>
      <div className={classes.row}>
        <span className={classes.grip} draggable={!readOnly} onDragStart={(event) => event.dataTransfer.setData("text/x-step", `${list} ${number - 1}`)} aria-hidden>
          {!readOnly && <IconGripVertical size={14} />}
          {number}
        </span>
        <NativeSelect
          aria-label={`Action of step ${number}`} value={kind} disabled={readOnly} data={kind ? KindOptions : [{ value: "", label: "(not known)" }, ...KindOptions]}
          onChange={(event) => set({ [event.currentTarget.value]: Kinds[event.currentTarget.value]?.fresh })}
        />
        <div className={classes.what}>
          <Action kind={kind} place={place} number={number} />
        </div>
        {!readOnly && (
          <Group gap={0} wrap="nowrap" mt={3}>
            <Tool label={`Move step ${number} up`} act={() => move(number - 2)} off={number === 1} icon={<IconArrowUp size={15} />} />
            <Tool label={`Move step ${number} down`} act={() => move(number)} off={number === count} icon={<IconArrowDown size={15} />} />
            <Tool label={`Duplicate step ${number}`} act={double} icon={<IconCopyPlus size={15} />} />
            <Remove size={24} label={`Remove step ${number}`} act={remove} />
          </Group>
        )}
      </div>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" pl={44}>
          {error}
        </Text>
      )}
    </div>
  );
}

function Tool({ label, act, icon, off }: { label: string; act: () => void; icon: ReactNode; off?: boolean }) {
  return (
    <ActionIcon color="gray" size={24} aria-label={label} onClick={act} disabled={off}>
      {icon}
    </ActionIcon>
  );
}

/** Action are the fields of a step of the kind. */
function Action({ kind, place, number }: { kind: string; place: Place; number: number }) {
  const at = [...place, kind];
  switch (kind) {
    case "say":
      return <Line place={at} label={`Line of step ${number}`} placeholder="Hello, this is {persona.name}." />;
    case "press":
      return <Line place={at} label={`Keys of step ${number}`} placeholder="1#" />;
    case "stay_silent_ms":
      return <Millis place={at} label={`Silence of step ${number}`} alone />;
    case "wait_for_agent":
      return <Millis place={[...at, "timeout_ms"]} label={`Patience of step ${number}`} placeholder="as set in the limits" />;
    case "interrupt":
    case "backchannel":
      return (
        <Group gap={6} align="flex-start">
          <Millis place={[...at, "after_ms"]} label={`When in the agent's speech, step ${number}`} />
          <div className={classes.main}>
            <Line place={[...at, "say"]} label={`Line of step ${number}`} placeholder="Sorry, one moment." />
          </div>
        </Group>
      );
    case "wait_for_words":
      return <WaitForWords at={at} number={number} />;
    case "repeat_if_misunderstood":
      return (
        <div className={classes.list}>
          <PhrasesField place={[...at, "words"]} label={`Words that show it (step ${number})`} hint="Leave empty for the usual ones, such as “pardon”" noun="words" />
          <Whole place={[...at, "times"]} label={`How often step ${number} may repeat`} unit="times" />
        </div>
      );
    case "branch":
      return <Branch at={at} number={number} />;
    default:
      return null;
  }
}

function WaitForWords({ at, number }: { at: Place; number: number }) {
  const otherwise = useField([...at, "otherwise"]);
  return (
    <div className={classes.list}>
      <PhrasesField place={[...at, "any"]} label={`One of these words (step ${number})`} noun="words" />
      <Millis place={[...at, "timeout_ms"]} label={`How long step ${number} waits`} placeholder="20000" />
      <div className={classes.nested}>
        <StepsField place={[...at, "otherwise"]} label={`If they are never said (step ${number})`} hint={otherwise.value === undefined ? "Without steps: goodbye and hang up" : undefined} />
      </div>
    </div>
  );
}

function Branch({ at, number }: { at: Place; number: number }) {
  const cases = useField([...at, "cases"]);
  const list = listOf(cases.value);
  return (
    <div className={classes.list} {...Entries}>
      {list.map((_, n) => (
        <div key={n} className={classes.nested}>
          <Group justify="space-between" gap={4}>
            <Text size="xs" fw={600}>
              Case {n + 1}
            </Text>
            {!cases.readOnly && <Remove size={24} label={`Remove case ${n + 1} of step ${number}`} act={() => cases.set(list.toSpliced(n, 1))} />}
          </Group>
          <PhrasesField place={[...at, "cases", n, "any"]} label="The agent said one of these" noun="words" />
          <StepsField place={[...at, "cases", n, "then"]} label={`Then (case ${n + 1} of step ${number})`} />
        </div>
      ))}
      {!cases.readOnly && (
        <Button variant="subtle" size="compact-xs" w="fit-content" leftSection={<IconPlus size={13} />} onClick={() => cases.set([...list, freshCase()])} {...Adding}>
          Add case
        </Button>
      )}
      <div className={classes.nested}>
        <StepsField place={[...at, "otherwise"]} label={`If no case fits (step ${number})`} hint="Without steps: go on with the next step" />
      </div>
    </div>
  );
}
