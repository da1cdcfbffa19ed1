import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../shell/lazypage";
import { layout, text } from "../../shell/routes";

/** PromptsSearch is what the address of the list may say. */
export interface PromptsSearch {
  q?: string;
  /** new asks for a new prompt. */
  new?: string;
}

export const promptsRoute = createRoute({
  getParentRoute: () => layout,
  path: "/prompts",
  validateSearch: (search: Record<string, unknown>): PromptsSearch => ({ q: text(search, "q"), new: text(search, "new") }),
  component: lazyPage(() => import("./list"), "PromptList"),
});

/** PromptSearch is what the address of a prompt may say. */
export interface PromptSearch {
  /** at is a version's number or a label; the newest version when it is not given. */
  at?: string;
  /** edit opens the editor for the next version, which starts from the one that is shown. */
  edit?: string;
  /** with is the version (number or label) that the shown one is compared with. */
  with?: string;
}

export const promptRoute = createRoute({
  getParentRoute: () => layout,
  path: "/prompts/$slug",
  validateSearch: (search: Record<string, unknown>): PromptSearch => ({ at: text(search, "at"), edit: text(search, "edit"), with: text(search, "with") }),
  component: lazyPage(() => import("./page"), "PromptPage"),
});

export const promptRoutes = [promptsRoute, promptRoute];

declare module "../../parts/go" {
  interface Pages {
    "/prompts": PromptsSearch;
    "/prompts/$slug": PromptSearch;
  }
}
