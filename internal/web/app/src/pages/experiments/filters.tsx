import { Group, NativeSelect } from "@mantine/core";
import type { Named } from "../../api/names";
import { plain } from "../../parts/format";
import { useChange } from "../../parts/go";
import type { ListSearch } from "./routes";

const Statuses = ["CREATED", "RUNNING", "SCORING", "FINISHED", "FAILED", "SCORING_FAILED", "CANCELED"];
const Verdicts = ["passed", "failed", "void", "not_evaluated"];

interface FiltersProps {
  search: ListSearch;
  agents: Named[] | undefined;
  datasets: Named[] | undefined;
}

/** Filters narrows the list of experiments. */
export function Filters({ search, agents, datasets }: FiltersProps) {
  const change = useChange<ListSearch>();
  const set = (name: keyof ListSearch) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value || undefined }, true);
  const named = (list: Named[] | undefined, value: string | undefined) => {
    const options = (list ?? []).map(({ id, name }) => ({ value: id, label: name }));
    return value && !options.some((option) => option.value === value) ? [...options, { value, label: value }] : options;
  };
  return (
    <Group gap="xs">
      <NativeSelect size="xs" aria-label="Agent" value={search.agent ?? ""} onChange={set("agent")} data={[{ value: "", label: "Any agent" }, ...named(agents, search.agent)]} maw={200} />
      <NativeSelect size="xs" aria-label="Dataset" value={search.dataset ?? ""} onChange={set("dataset")} data={[{ value: "", label: "Any dataset" }, ...named(datasets, search.dataset)]} maw={200} />
      <NativeSelect size="xs" aria-label="Status" value={search.status ?? ""} onChange={set("status")} data={[{ value: "", label: "Any status" }, ...Statuses.map(wordOption)]} />
      <NativeSelect size="xs" aria-label="Verdict" value={search.verdict ?? ""} onChange={set("verdict")} data={[{ value: "", label: "Any verdict" }, ...Verdicts.map(wordOption)]} />
    </Group>
  );
}

function wordOption(word: string) {
  return { value: word, label: plain(word.toLowerCase()) };
}
