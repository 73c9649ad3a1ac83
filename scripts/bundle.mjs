import { build } from "esbuild";
import { sharedEntry } from "./one-per-process.mjs";

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // The package throws outside of a React server bundle. Next replaces it with this file.
  alias: { "server-only": "./node_modules/server-only/empty.js" },
  sourcemap: true,
  outdir: "dist",
  // Code that is loaded later stays in separate files.
  splitting: true,
  logLevel: "warning",
};

/** The console's worker threads, by bundle name. */
export const workers = {
  "certificate-worker": "lib/certificates/worker/worker.ts",
  "rpc-specification-worker": "lib/records/rpc-specification/worker.ts",
};

/**
 * All programs except the vehicle API worker. Packages stay outside, because the console and Next's bundles must share one
 * database driver.
 * @type {import("esbuild").BuildOptions}
 */
export const programs = {
  ...shared,
  entryPoints: {
    main: "server/main.ts",
    console: "server/console.ts",
    database: "server/database.ts",
    policy: "server/policy.ts",
    shared: "one-per-process",
    ...workers,
  },
  plugins: [sharedEntry],
  packages: "external",
  chunkNames: "parts/[name]-[hash]",
};

/** The vehicle API worker, with packages included: finding their files takes most of a start. The driver comes later. */
export const vehicleWorker = {
  ...shared,
  entryPoints: { "vehicle-worker": "server/vehicle-worker.ts" },
  external: [
    "mongoose",
    "mongodb",
    // Also loaded later, and only with a collector. Their interface, `@opentelemetry/api`, is part of prom-client.
    "@opentelemetry/sdk-trace-base",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
  ],
  chunkNames: "parts/vehicle-worker-[name]-[hash]",
  // For CommonJS packages.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
  },
};

export async function bundleServer() {
  await Promise.all([build(programs), build(vehicleWorker)]);
}

/** Bundles only the command line, for a checkout without a build. */
export async function bundleCommandLine(root) {
  const entryPoints = { policy: "server/policy.ts" };
  await build({ ...programs, entryPoints, absWorkingDir: root, chunkNames: "parts/policy-[name]-[hash]" });
}
