import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// The service that `npm run dev` leads requests to, and a key of it for pages that are worked on without signing in.
const service = process.env["RINGTRUE_URL"] ?? "http://127.0.0.1:8080";
const key = process.env["RINGTRUE_KEY"];

const proxy = { target: service, ...(key && { headers: { authorization: `Bearer ${key}` } }) };

// With a key there is no session, so that the dev server stands in for the one that a browser would have.
const keyHolder: Plugin = {
  name: "key-holder",
  configureServer: ({ middlewares }) => {
    middlewares.use("/api/rest/session", (_, answer) => {
      const workspace = { id: "ws_dev", name: "Development" };
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({
        signed_in: true, setup_needed: false, sign_in: { password: true, oidc: null }, person: { id: "usr_dev", name: "Key holder", email: "dev@example.com" },
        workspace, role: "owner", workspaces: [{ ...workspace, role: "owner" }],
      }));
    });
  },
};

const shared = [
  { name: "base", test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store|query-core|react-query)|openapi-fetch|openapi-react-query|clsx)\// },
  { name: "frame", test: /@mantine\/(hooks|core\/esm\/(core|components\/(AppShell|Group|Stack|Text|Title|ActionIcon|UnstyledButton|Button|NavLink|Burger|Collapse|Loader|Transition|SimpleGrid|Anchor|Input|InputBase|NativeSelect|Skeleton|Alert|CloseButton)))\// },
  // Together with what draws the first page after signing in.
  { name: "first", test: /@tabler\/icons-react\/|@tanstack\/(react-virtual|virtual-core)\/|src\/(shell\/(layout|keys|leaps|states|lazypage)|parts\/(page|table|sort|empty|problem|verdict|format|metrics|departures|departed|go|agentchoice|name)|api\/names|router|pages\/[a-z]+\/routes|pages\/calls\/filter|pages\/monitor\/(overview|scopebar|verdict|scope|spark|now|uncounted))\.|@mantine\/core\/esm\/components\/(SegmentedControl|VisuallyHidden|FloatingIndicator)\/|src\/parts\/(table|verdict)\.module/ },
];

export default defineConfig({
  plugins: [react(), ...(key ? [keyHolder] : [])],
  // The licences of what is built in are served beside it.
  // What every page needs comes in few files: each has a price of its own before a page can be used.
  build: { rolldownOptions: { output: { codeSplitting: { groups: shared } } }, license: { fileName: "licenses.md" }, outDir: "../dist", emptyOutDir: true, target: "es2022", sourcemap: false, chunkSizeWarningLimit: 400 },
  server: { host: "127.0.0.1", proxy: { "/api": proxy, "/openapi.json": proxy, "/docs": proxy } },
  // A form takes seconds on a machine that does something else as well.
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"], setupFiles: ["src/testing.ts"], restoreMocks: true, testTimeout: 60_000 },
});
