import { NativeSelect } from "@mantine/core";
import { useMemo } from "react";
import { useAgents } from "../api/names";

interface AgentChoiceProps {
  /** value is the id of an agent, or "-" for the calls of none. */
  value: string | undefined;
  choose: (value: string | undefined) => void;
  /** all is the label of the choice of every agent. */
  all: string;
}

/** AgentChoice narrows to the calls of one agent. An agent that is not in the list, being deleted or one of very many, is shown by its id. */
export function AgentChoice({ value, choose, all }: AgentChoiceProps) {
  const agents = useAgents().data?.data;
  const options = useMemo(() => {
    const known = (agents ?? []).map(({ id, name }) => ({ value: id, label: name }));
    const others = value && value !== "-" && !agents?.some(({ id }) => id === value) ? [{ value, label: value }] : [];
    return [{ value: "", label: all }, ...known, ...others, { value: "-", label: "No agent" }];
  }, [agents, value, all]);
  return <NativeSelect aria-label="Agent" value={value ?? ""} onChange={(event) => choose(event.currentTarget.value || undefined)} data={options} maw={220} />;
}
