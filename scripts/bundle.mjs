import { build } from "esbuild";

/** Programs: the entries of the processes and the workers. */
export const entries = {
  main: "server/main.ts",
  lane: "server/lane.ts",
  console: "server/console.ts",
  database: "server/database.ts",
  "certificate-worker": "lib/certificates/worker.ts",
  "rpc-specification-worker": "lib/rpc-specification/worker.ts",
};

/** Packages stay outside: the console and Next's own bundles must share one copy of the database driver. */
export const bundling = {
  bundle: true,
  platform: /** @type {const} */ ("node"),
  format: /** @type {const} */ ("esm"),
  target: "node20",
  packages: "external",
  // The package throws outside of a React server bundle; this is the file Next puts in its place.
  alias: { "server-only": "./node_modules/server-only/empty.js" },
  // What a program loads only later stays in files of its own.
  splitting: true,
  logLevel: /** @type {const} */ ("warning"),
};

/** Bundles the programs of this server into `dist/`. */
export async function bundleServer() {
  await build({
    ...bundling,
    entryPoints: entries,
    outdir: "dist",
    chunkNames: "parts/[name]-[hash]",
    sourcemap: true,
  });
}
