import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

interface SearchProps {
  label: string;
  /** placeholder stands in the empty field; the label when it is not given. */
  placeholder?: string;
  value: string | undefined;
  change: (value: string | undefined) => void;
  width?: number;
}

/** Search narrows a list by words; the page keeps them in its address. "/" leads here. */
export function Search({ label, placeholder = label, value = "", change, width = 240 }: SearchProps) {
  const [text, type] = useTyped(value);
  return (
    <TextInput
      type="search" aria-label={label} placeholder={placeholder} value={text} w={width} maw="100%" leftSection={<IconSearch size={15} />}
      onChange={(event) => {
        type(event.currentTarget.value);
        change(event.currentTarget.value || undefined);
      }}
    />
  );
}

/**
 * useTyped holds the text of a field whose value is in the address. The router brings a new value back only a moment after the key: a field that showed the value
 * itself would be set back until then, and lose letters that are typed quickly or put together by an input method. A value that was not typed here, as after Back
 * or "Clear", replaces the text.
 */
function useTyped(value: string): [text: string, type: (text: string) => void] {
  const [field, setField] = useState({ text: value, value, underway: [] as string[] });
  if (value !== field.value) {
    const arrived = field.underway.includes(value);
    setField({ text: arrived ? field.text : value, value, underway: arrived && value !== field.text ? field.underway : [] });
  }
  return [field.text, (text) => setField((old) => ({ ...old, text, underway: [...old.underway, text] }))];
}

/** holds tells whether the texts together hold all words that were searched for. */
export function holdsWords(q: string | undefined, ...texts: (string | null | undefined)[]): boolean {
  if (!q) return true;
  const all = texts.join("\n").toLowerCase();
  return q.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
