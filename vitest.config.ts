import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const resolve = {
  alias: [
    { find: /^@\/lib\/platform\/process\/worker-file$/, replacement: `${root}test/support/worker-file.ts` },
    { find: /^@\//, replacement: root },
    // The package throws outside a React server bundle; its own empty file is what Next puts there.
    { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
  ],
};

if (process.env.TEST_SEED === undefined) {
  process.env.TEST_SEED = String(randomInt(2 ** 31 - 1));
  console.log(`TEST_SEED=${process.env.TEST_SEED}`);
}

// Data made by a set-up, which runs in this process, and servers of tests that go on with them: they share a trail, so a key.
process.env.AUDIT_KEY = "the key of the audit trail in tests";

type Test = NonNullable<TestProjectInlineConfiguration["test"]>;

/**
 * The tests of one folder. No time limits on what a test measures: machines that run them differ widely. The figures below
 * only end a hang. The log keeps to failures, so that they are seen.
 */
const project = (name: string, test: Test = {}): TestProjectInlineConfiguration => ({
  resolve,
  test: {
    name,
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    environment: "node",
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    env: { LOG_LEVEL: "error" },
    ...test,
    setupFiles: ["test/support/seed.ts", ...[test.setupFiles ?? []].flat()],
  },
});

// Files share processes, and load what they test once; what a test stubs is gone before the next.
const shared: Test = { isolate: false, unstubGlobals: true };

/** Skips what cannot pass on the second engine, where a run is on it. */
const excused = "test/support/second-engine-excuses.ts";

/** Files that start the built server; after all others, which the build may run beside. */
const onServer = (setup: string): Test => ({ globalSetup: [setup], sequence: { groupOrder: 1 } });

export default defineConfig({
  resolve,
  test: {
    // Many tests wait for other processes and for timers: two files at a time even where one could be computed.
    maxWorkers: 2,
    projects: [
      project("unit", {
        ...shared,
        globalSetup: ["test/support/worker-bundles.ts"],
        setupFiles: ["test/support/file-end.ts"],
      }),
      project("embedded", { setupFiles: ["test/support/file-end.ts"] }),
      project("api", {
        ...shared,
        globalSetup: ["test/support/worker-bundles.ts", "test/support/database-server.ts"],
        setupFiles: ["test/support/api-process.ts", excused],
      }),
      {
        ...project("ui", { environment: "jsdom", setupFiles: ["test/support/ui.ts"] }),
        plugins: [react()],
      },
      project("server", { ...onServer("test/support/server-setup.ts"), setupFiles: [excused] }),
      project("browser", { ...onServer("test/support/browser-setup.ts"), ...shared }),
      // What the server lives through; with `npm run test:all` and in .ci/run.
      project("faults", onServer("test/support/server-setup.ts")),
    ],
  },
});
