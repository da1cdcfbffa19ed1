// Every page of the app: its address, how one sees that it is ready, and what a viewer may do there.
import { demo, request, support } from "./service.mjs";

/**
 * @typedef {object} Place
 * @property {string} path its address
 * @property {[string, string | RegExp]} shows the role and name of what is on it once the service has answered
 * @property {RegExp} [empty] what it says in an empty workspace; pages of a single thing have none
 * @property {string} [of] the kind of the single thing that it is about, if it is about one
 * @property {boolean} [asks] the address opens something for which the role of a viewer is too low
 */

let known;

/** places lists all pages, with ids of existing things. */
export function places() {
  return (known ??= found());
}

async function found() {
  const run = await demo();
  // Other tests make calls at the same time, some broken off or empty; a void call may have few words.
  const simulated = (await request("GET", `/calls?voice_experiment_id=${run.id}&status=ENDED&limit=50`)).data.find((call) => call.recording_url && call.verdict !== "void");
  const production = (await request("GET", `/calls?origin=production&agent_id=${(await support()).id}&limit=100`)).data.find((call) => !call.recording_url);
  const { data: items } = await request("GET", `/datasets/${run.dataset_id}/items`);
  const ids = { call: simulated.id, production: production.id, run: run.id, agent: run.agent_id, dataset: run.dataset_id, item: items[0].id, scorer: "pages-say", prompt: "pages-caller" };
  await request("POST", "/scorers", { slug: ids.scorer, kind: "say", params: { phrase: "appointment" }, labels: ["production"] });
  await request("POST", "/prompts", { slug: ids.prompt, text: "You are in a hurry, {persona.name}." });
  return pagesOf(ids);
}

/** pagesOf are the pages that show these things. */
export function pagesOf(ids) {
  return [...monitoring(), ...calls(ids), ...experiments(ids), ...datasets(ids), ...agents(ids), ...texts("scorer", ids.scorer), ...texts("prompt", ids.prompt), ...settings()];
}

/** @returns {Place[]} */
function monitoring() {
  return [
    { path: "/", shows: ["table", /^Agents/], empty: /No production calls yet/ },
    { path: "/monitor/trends", shows: ["region", "Calls"], empty: /No calls in this time/ },
    { path: "/monitor/trends?metric=latency_p95", shows: ["img", /./], empty: /No calls in this time/ },
    { path: "/monitor/anomalies", shows: ["table", "Anomalies"], empty: /No calls have been looked at yet/ },
    { path: "/monitor/failures", shows: ["table", "Groups of failing calls"], empty: /No failing calls/ },
    { path: "/monitor/drop-off", shows: ["table", /still there/], empty: /No answered calls/ },
    { path: "/monitor/upset", shows: ["table", "Upset callers"], empty: /Nobody was upset/ },
    { path: "/monitor/breakdown", shows: ["table", / by /], empty: /Nothing to break down/ },
  ];
}

/** @returns {Place[]} */
function calls({ call, production, agent }) {
  const words = ["slider", "Position in the call"];
  const tab = (name, id) => ({ path: `/calls/${id}${name && `?tab=${name}`}`, shows: words, of: "call" });
  return [
    { path: "/calls", shows: ["table", "Calls"], empty: /There are no calls yet/ },
    { path: `/calls?agent=${agent}&verdict=failed&last=7d`, shows: ["table", "Calls"], empty: /No call matches/ },
    ...["", "scores", "metrics", "line", "details", "raw"].map((name) => tab(name, call)),
    ...["", "platform", "details", "raw"].map((name) => tab(name, production)),
  ];
}

/** @returns {Place[]} */
function experiments({ run, dataset, agent }) {
  const of = "run";
  return [
    { path: "/experiments", shows: ["table", "Experiments"], empty: /No test has run yet/ },
    { path: "/experiments/new", shows: ["combobox", /^Agent/], empty: /A test run needs/, asks: true },
    { path: `/experiments/new?dataset=${dataset}&agent=${agent}`, shows: ["combobox", /^Agent/], empty: /A test run needs/, asks: true },
    { path: `/experiments/compare?base=${run}&with=${run}&all=true`, shows: ["table", "Scenarios"], of },
    { path: "/experiments/compare", shows: ["heading", "Choose two experiments"], empty: /Choose two experiments/ },
    { path: `/experiments/${run}`, shows: ["table", "Scenarios and scorers"], of },
    { path: `/experiments/${run}?tab=calls`, shows: ["table", "Calls"], of },
    { path: `/experiments/${run}?tab=measured`, shows: ["table", "Metrics"], of },
    { path: `/experiments/${run}?tab=plan`, shows: ["table", "Run settings"], of },
    { path: `/experiments/${run}?open=compare`, shows: ["dialog", /./], of },
  ];
}

/** @returns {Place[]} */
function datasets({ dataset, item, call }) {
  const of = "dataset";
  return [
    { path: "/datasets", shows: ["table", "Datasets"], empty: /No datasets yet/ },
    { path: "/datasets?new=yes", shows: ["dialog", /./], empty: /New dataset/, asks: true },
    { path: `/datasets?from_calls=${call}`, shows: ["table", "Datasets"], empty: /No datasets yet/, asks: true },
    { path: `/datasets/${dataset}`, shows: ["grid", "Scenarios"], of },
    { path: `/datasets/${dataset}?item=${item}`, shows: ["textbox", "Goal"], of },
    { path: `/datasets/${dataset}?item=new`, shows: ["textbox", "Goal"], of, asks: true },
    { path: `/datasets/${dataset}?tab=versions&changes=1`, shows: ["table", "Versions"], of },
    ...["import", "calls", "rename"].map((open) => ({ path: `/datasets/${dataset}?open=${open}`, shows: ["dialog", /./], of, asks: true })),
  ];
}

/** @returns {Place[]} */
function agents({ agent }) {
  const of = "agent";
  return [
    { path: "/agents", shows: ["table", "Agents"], empty: /No agents yet/ },
    { path: "/agents?open=new", shows: ["dialog", /./], empty: /New agent/, asks: true },
    { path: "/agents?open=sync", shows: ["dialog", /./], empty: /Platform key/, asks: true },
    { path: `/agents/${agent}`, shows: ["table", "Recent calls"], of },
    { path: `/agents/${agent}?tab=defaults`, shows: ["textbox", "Name"], of },
  ];
}

/** texts are the pages of scorers or prompts. @returns {Place[]} */
function texts(of, slug) {
  const table = `${of[0].toUpperCase()}${of.slice(1)}s`;
  return [
    { path: `/${of}s`, shows: ["table", table], empty: new RegExp(`No ${of}s yet`) },
    { path: `/${of}s?new=yes`, shows: ["dialog", /./], empty: new RegExp(`New ${of}`), asks: true },
    { path: `/${of}s/${slug}`, shows: ["table", "Versions"], of },
    { path: `/${of}s/${slug}?edit=yes`, shows: ["table", "Versions"], of, asks: true },
  ];
}

/** @returns {Place[]} */
function settings() {
  return [
    { path: "/settings/account", shows: ["region", "Password"], empty: /Password/ },
    { path: "/settings/keys", shows: ["table", "API keys"], empty: /No keys yet/, asks: true },
    { path: "/settings/members", shows: ["table", "Members"], empty: /Sam Stranger/ },
    { path: "/settings/credentials", shows: ["region", "Voice platforms"], empty: /None saved/, asks: true },
    { path: "/settings/workspace", shows: ["region", "Dimensions"], empty: /Dimensions/ },
    { path: "/settings/audit", shows: ["table", "Audit log"], empty: /./, asks: true },
  ];
}

/** claims tells whether what a page says in an empty workspace would be wrong in any other. */
export const claims = ({ empty }) => /^(No|There are no|A test run)/.test(empty?.source ?? "");

/** ready waits until the page has its content. */
export async function ready(page, { shows: [role, name] }) {
  await page.getByRole(role, { name }).first().waitFor();
}
