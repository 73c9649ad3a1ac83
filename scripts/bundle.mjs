import { build } from "esbuild";

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // The package throws outside of a React server bundle; this is the file Next puts in its place.
  alias: { "server-only": "./node_modules/server-only/empty.js" },
  sourcemap: true,
  outdir: "dist",
  // What a program loads only later stays in files of its own.
  splitting: true,
  logLevel: "warning",
};

/** The worker threads of the console, by the names of their bundles. */
export const workers = {
  "certificate-worker": "lib/certificates/worker/worker.ts",
  "rpc-specification-worker": "lib/content/rpc-specification/worker.ts",
};

/**
 * The programs but the vehicle API worker. Packages stay outside: console and Next's bundles must share one database
 * driver.
 * @type {import("esbuild").BuildOptions}
 */
export const programs = {
  ...shared,
  entryPoints: {
    main: "server/main.ts",
    console: "server/console.ts",
    database: "server/database.ts",
    policy: "server/policy.ts",
    ...workers,
  },
  packages: "external",
  chunkNames: "parts/[name]-[hash]",
};

/**
 * The vehicle API worker, with packages inside: finding their files takes longest at a start. The driver comes later.
 */
export const vehicleWorker = {
  ...shared,
  entryPoints: { "vehicle-worker": "server/vehicle-worker.ts" },
  external: [
    "mongoose",
    "mongodb",
    // So do these, and only where there is a collector. Their interface, `@opentelemetry/api`, is a part of prom-client.
    "@opentelemetry/sdk-trace-base",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
  ],
  chunkNames: "parts/vehicle-worker-[name]-[hash]",
  // For packages that are not modules.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
  },
};

export async function bundleServer() {
  await Promise.all([build(programs), build(vehicleWorker)]);
}

/** Bundles the command line alone, for a checkout that is not built. */
export async function bundleCommandLine(root) {
  const entryPoints = { policy: "server/policy.ts" };
  await build({ ...programs, entryPoints, absWorkingDir: root, chunkNames: "parts/policy-[name]-[hash]" });
}
