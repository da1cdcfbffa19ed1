import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { queryClient } from "./api/client";

// What every test of a component begins and ends with. The files share one window and one queryClient (vitest runs them without isolation), so nothing of one may
// stay for the next.
const usual = queryClient.getDefaultOptions();

beforeAll(() => {
  window.matchMedia ??= (() => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })) as never;
});

afterEach(() => {
  cleanup();
  queryClient.clear();
  queryClient.setDefaultOptions(usual);
  vi.unstubAllGlobals();
});
