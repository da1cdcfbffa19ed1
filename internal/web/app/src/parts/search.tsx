import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

interface SearchProps {
  label: string;
  value: string | undefined;
  change: (value: string | undefined) => void;
  width?: number;
}

/** Search narrows a list by words; the page keeps them in its address. "/" leads here. */
export function Search({ label, value, change, width = 240 }: SearchProps) {
  return (
    <TextInput
      type="search" aria-label={label} placeholder={label} value={value ?? ""} w={width} maw="100%" leftSection={<IconSearch size={15} />}
      onChange={(event) => change(event.currentTarget.value || undefined)}
    />
  );
}

/** holds tells whether one of the texts holds all words that were searched for. */
export function holds(q: string | undefined, ...texts: (string | null | undefined)[]): boolean {
  if (!q) return true;
  const all = texts.join("\n").toLowerCase();
  return q.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
