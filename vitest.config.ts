import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const resolve = {
  alias: [
    { find: /^@\//, replacement: root },
    // The package throws outside a React server bundle; its own empty file is what Next puts there.
    { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
  ],
};

// No time limits on what a test measures: machines that run them differ widely. The figures below only end a hang.
// The log keeps to failures, so that they are seen.
const common = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 50 } },
  env: { LOG_LEVEL: "error" },
};

export default defineConfig({
  resolve,
  test: {
    projects: [
      { resolve, test: { name: "unit", include: ["test/unit/**/*.test.ts"], environment: "node", ...common } },
      {
        resolve,
        test: { name: "embedded", include: ["test/embedded/**/*.test.ts"], environment: "node", ...common },
      },
      {
        resolve,
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/support/database-server.ts"],
          ...common,
        },
      },
      {
        resolve,
        plugins: [react()],
        test: {
          name: "ui",
          include: ["test/ui/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["test/support/ui.ts"],
          ...common,
        },
      },
      {
        resolve,
        test: {
          name: "server",
          include: ["test/server/**/*.test.ts"],
          globalSetup: ["test/support/server.ts"],
          environment: "node",
          fileParallelism: false,
          ...common,
        },
      },
      {
        resolve,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/support/browser-setup.ts"],
          environment: "node",
          fileParallelism: false,
          ...common,
        },
      },
    ],
  },
});
