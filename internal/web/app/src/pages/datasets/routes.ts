import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** DatasetsSearch is what the address of the list may say. */
export interface DatasetsSearch {
  q?: string;
  /** new asks for a new dataset. */
  new?: string;
  /** from_calls are ids of calls, separated by commas, to make scenarios from in the dataset that is chosen. */
  from_calls?: string;
}

export const datasetsRoute = createRoute({
  getParentRoute: () => layout,
  path: "/datasets",
  validateSearch: (search: Record<string, unknown>): DatasetsSearch => ({
    q: text(search, "q"), new: text(search, "new"), from_calls: text(search, "from_calls"),
  }),
  component: lazyPage(() => import("./list"), "DatasetList"),
});

/** DatasetSearch is what the address of a dataset may say. */
export interface DatasetSearch {
  /** tab is "versions", or nothing for the items. */
  tab?: string;
  /** version is an older state of the items. */
  version?: number;
  /** item is the item that is open, or "new". */
  item?: string;
  /** copy is the item that a new one is copied from. */
  copy?: string;
  q?: string;
  /** open is a dialog: "import", "calls", "rename". */
  open?: string;
  from_calls?: string;
  /** changes is the version whose changes are shown. */
  changes?: number;
}

export const datasetRoute = createRoute({
  getParentRoute: () => layout,
  path: "/datasets/$id",
  validateSearch: (search: Record<string, unknown>): DatasetSearch => ({
    tab: text(search, "tab"), version: whole(search["version"]), item: text(search, "item"), copy: text(search, "copy"), q: text(search, "q"),
    open: text(search, "open"), from_calls: text(search, "from_calls"), changes: whole(search["changes"]),
  }),
  component: lazyPage(() => import("./page"), "DatasetPage"),
});

function whole(value: unknown): number | undefined {
  const n = Number(value);
  return Number.isInteger(n) && n > 0 ? n : undefined;
}

export const datasetRoutes = [datasetsRoute, datasetRoute];

declare module "../../parts/go" {
  interface Pages {
    "/datasets": DatasetsSearch;
    "/datasets/$id": DatasetSearch;
  }
}
