import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { dailyFiles, fixedSeed, notOnSecondEngine, secondEngineName, thoroughFiles } from "./scripts/test-plan.mjs";
import { hangMs } from "./test/support/patience.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));
const resolve = {
  alias: [
    { find: /^@\/lib\/platform\/process\/worker-file$/, replacement: `${root}test/support/worker-file.ts` },
    { find: /^@\//, replacement: root },
    // The package throws outside a React server bundle; its own empty file is what Next puts there.
    { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
  ],
};

process.env.TEST_SEED ??= String(fixedSeed);

// Data made by a set-up, which runs in this process, and servers of tests that go on with them: they share a trail, so a key.
process.env.AUDIT_KEY = "the key of the audit trail in tests";

const leftOut = [
  ...(process.env.TEST_DAILY === "0" ? dailyFiles : []),
  ...(process.env.TEST_THOROUGH === "0" ? thoroughFiles : []),
];

type Test = NonNullable<TestProjectInlineConfiguration["test"]>;

/** The tests of one folder. The limits below only end a hang. The log keeps to failures, so that they are seen. */
const project = (name: string, test: Test = {}): TestProjectInlineConfiguration => ({
  resolve,
  test: {
    name,
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    exclude: [
      ...leftOut.map((begin) => `${begin}.test.*`),
      ...(process.env.TEST_DATABASE === secondEngineName ? notOnSecondEngine.map((begin) => `${begin}*`) : []),
    ],
    environment: "node",
    testTimeout: hangMs(300),
    hookTimeout: hangMs(300),
    expect: { poll: { timeout: hangMs(120), interval: 50 } },
    env: { LOG_LEVEL: "error" },
    // Fewer collections of garbage.
    execArgv: ["--max-semi-space-size=64"],
    ...test,
    setupFiles: ["test/support/seed.ts", ...[test.setupFiles ?? []].flat()],
  },
});

// Files share processes, and load what they test once; what a test stubs is gone before the next.
const shared: Test = { isolate: false, unstubGlobals: true };

/** A file of `ui` that waits for ever on a busy machine in a process that others have used. */
const alone = "test/ui/functional-groups-page.test.tsx";

/** Skips what cannot pass on the second engine, where a run is on it. */
const excused = "test/support/second-engine-excuses.ts";

/** Files that start the built server; after all others, which the build may run beside. */
const onServer = (setup: string): Test => ({ globalSetup: [setup], sequence: { groupOrder: 1 } });

/** Files that take long for their size. They come first, so that none is left alone at the end. */
const slow = /import-sdl-server|hostile-provider|dead-connection|package\.test|directory-sync|log-output|slow-senders/;

/**
 * The same order in every run, whatever earlier ones have left behind: files of a project may share a process, so a failure
 * can depend on it. Large files first.
 */
class FixedOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Those of walk first: they are few, and take longest.
    const keyOf = ({ project, moduleId }: TestSpecification) =>
      [
        project.config.sequence.groupOrder,
        project.name === "walk" ? "" : project.name,
        1e9 - statSync(moduleId).size - (slow.test(moduleId) ? 1e6 : 0),
        moduleId,
      ].join(" ");
    const keys = new Map(files.map((file) => [file, keyOf(file)]));
    return Promise.resolve(files.toSorted((a, b) => ((keys.get(a) ?? "") < (keys.get(b) ?? "") ? -1 : 1)));
  }
}

export default defineConfig({
  resolve,
  test: {
    // Many tests wait for other processes and for timers: three files at a time even where two could be computed.
    maxWorkers: 3,
    sequence: { sequencer: FixedOrder },
    projects: [
      project("unit", {
        ...shared,
        globalSetup: ["test/support/worker-bundles.ts"],
        setupFiles: ["test/support/file-end.ts"],
      }),
      project("embedded", { ...shared, setupFiles: ["test/support/file-end.ts"] }),
      project("api", {
        ...shared,
        globalSetup: ["test/support/worker-bundles.ts", "test/support/database-server.ts"],
        setupFiles: ["test/support/api-process.ts", excused],
      }),
      {
        ...project("ui", {
          ...{ ...shared, environment: "jsdom", setupFiles: ["test/support/fresh-modules.ts", "test/support/ui.ts"] },
          ...{ sequence: { setupFiles: "list" }, exclude: [alone] },
        }),
        plugins: [react()],
      },
      {
        ...project("ui-alone", { environment: "jsdom", include: [alone], setupFiles: ["test/support/ui.ts"] }),
        plugins: [react()],
      },
      project("server", { ...onServer("test/support/server-setup.ts"), ...shared, setupFiles: [excused] }),
      // A walk through the console with `npm test`, and all of it with `npm run test:all`.
      ...["walk", "browser"].map((name) => project(name, { ...onServer("test/support/browser-setup.ts"), ...shared })),
      // What the server lives through; in .ci/run and with `npm run test:all`.
      project("faults", { ...onServer("test/support/server-setup.ts"), setupFiles: [excused] }),
    ],
  },
});
