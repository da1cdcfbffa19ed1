import type { Schemas } from "../../api/client";
import type { Named } from "../../api/names";
import { notNumber } from "../../parts/number";

/** RunForm is what was chosen for a new test run; empty means the default of the agent. */
export interface RunForm {
  agent: string;
  dataset: string;
  line: "phone" | "rooms";
  to: string;
  /** items are the chosen scenarios; none means all. */
  items: string[];
  repetitions: string;
  /** prompt is "" for the agent's own, "none" for the built-in one, or "ref:" and a reference. */
  prompt: string;
  /** scorers is null for the agent's own. */
  scorers: string[] | null;
  trunk: string;
  concurrent: string;
  perSecond: string;
  /** threshold is in percent. */
  threshold: string;
  /** worker is the agent worker that is sent into rooms. */
  worker: string;
}

export const Blank: RunForm = {
  agent: "", dataset: "", line: "phone", to: "", items: [], repetitions: "", prompt: "", scorers: null, trunk: "", concurrent: "", perSecond: "", threshold: "", worker: "",
};

/** existing is a form without an agent or a dataset that cannot be chosen, being deleted: the fields would show that none is chosen, and it would be sent all the same. */
export function existing(form: RunForm, agents: Named[], datasets: Named[]): RunForm {
  const among = (list: Named[], id: string) => (list.some((one) => one.id === id) ? id : "");
  return { ...form, agent: among(agents, form.agent), dataset: among(datasets, form.dataset) };
}

/** promptOf is the prompt of a choice; undefined for the default of the agent. */
function promptOf(choice: string): string | undefined {
  if (choice === "none") return "";
  return choice.startsWith("ref:") ? choice.slice(4) : undefined;
}

/** runOf is the request of a form. to is the number of the agent, for when none was entered. */
export function runOf(form: RunForm, to: string): Schemas["RunRequest"] {
  const body: Schemas["RunRequest"] = { dataset_id: form.dataset, to_number: form.to.trim() || to };
  const prompt = promptOf(form.prompt);
  if (form.items.length > 0) body.dataset_item_ids = form.items;
  if (form.repetitions.trim()) body.repetitions = Number(form.repetitions);
  if (prompt !== undefined) body.caller_prompt = prompt;
  if (form.scorers) body.scorers = form.scorers;
  if (form.trunk.trim()) body.trunk = form.trunk.trim();
  if (form.concurrent.trim()) body.concurrent_calls = Number(form.concurrent);
  if (form.perSecond.trim()) body.calls_per_second = Number(form.perSecond);
  if (form.threshold.trim()) body.pass_threshold = Number(form.threshold) / 100;
  return body;
}

/** roomsOf is the same for a run in rooms. */
export function roomsOf(form: RunForm): Schemas["RoomsRequest"] {
  const body: Schemas["RoomsRequest"] = { datasetId: form.dataset };
  if (form.items.length > 0) body.datasetItemIds = form.items;
  if (form.agent) body.agentId = form.agent;
  if (form.worker.trim()) body.agentName = form.worker.trim();
  return body;
}

/** missing are the fields that have to be filled before anything can be asked of the service. */
export function missing(form: RunForm, to: string): Record<string, string> {
  const messages: Record<string, string> = {};
  if (!form.dataset) messages["dataset_id"] = "Choose a dataset";
  if (form.line === "rooms") return messages;
  if (!form.agent) messages["agent_id"] = "Choose an agent";
  if (!form.to.trim() && !to) messages["to_number"] = "Enter the agent's phone number, with + and country code";
  return messages;
}

/** unread are messages for number fields whose text is no number. Without them the run would silently use the defaults instead. */
export function unread(form: RunForm): Record<string, string> {
  if (form.line === "rooms") return {};
  const texts = { repetitions: form.repetitions, pass_threshold: form.threshold, concurrent_calls: form.concurrent, calls_per_second: form.perSecond };
  return Object.fromEntries(Object.entries(texts).flatMap(([place, text]) => {
    const message = notNumber(text);
    return message ? [[place, message]] : [];
  }));
}

const Places: Record<string, string> = { datasetId: "dataset_id", datasetItemIds: "dataset_item_ids", agentId: "agent_id", agentName: "agent_name" };

/** placesOf maps the fields of both operations, which are spelt differently, to those of the form. */
export function placesOf(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([place, message]) => {
    const head = place.split(/[.[]/)[0] ?? place;
    return [Places[head] ?? head, message];
  }));
}
