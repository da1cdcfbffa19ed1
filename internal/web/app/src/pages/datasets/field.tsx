import { createContext, use } from "react";
import { type Bag, type Fault, nameOf, type Place, put, valueAt } from "./draft";

/** Drafting is what a form edits. It is a context, since fields are nested as deep as scripts are. */
interface Drafting {
  item: Bag;
  change: (item: Bag) => void;
  faults: Fault[];
  readOnly: boolean;
}

export const DraftContext = createContext<Drafting>({ item: {}, change: () => undefined, faults: [], readOnly: true });

/** useField is one place of the item: its value, what is wrong with it, and how to change it (undefined removes it). */
export function useField(place: Place) {
  const { item, change, faults, readOnly } = use(DraftContext);
  const name = nameOf(place);
  const fault = faults.find((each) => each.place === name);
  return { value: valueAt(item, place), set: (value: unknown) => change(put(item, place, value)), error: fault?.message, readOnly, name };
}
