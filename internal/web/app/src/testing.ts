// What the tests of every file begin and end with (setupFiles in vite.config.ts). All files share one window and one queryClient, for vitest runs them without
// isolation: nothing of one may stay for the next.
import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { queryClient } from "./api/client";

const defaults = queryClient.getDefaultOptions();

// The window of the tests has neither: themes and media queries need the first, text areas that grow the second.
beforeAll(() => {
  window.matchMedia ??= (() => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })) as never;
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  queryClient.setDefaultOptions(defaults);
  vi.unstubAllGlobals();
});
