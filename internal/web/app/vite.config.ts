import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The service that `npm run dev` leads requests to.
const service = process.env["RINGTRUE_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  build: { outDir: "../dist", emptyOutDir: true, target: "es2022", sourcemap: false, chunkSizeWarningLimit: 400 },
  server: { host: "127.0.0.1", proxy: { "/api": service, "/openapi.json": service, "/docs": service } },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"], restoreMocks: true },
});
