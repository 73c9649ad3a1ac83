import { build } from "esbuild";

/**
 * Bundles the server entry, the embedded database's worker and the other workers into `dist/`. Packages stay outside: the server
 * and Next's own bundles must share one copy of the database driver.
 */
export async function bundleServer() {
  await build({
    entryPoints: {
      server: "server.ts",
      "embedded-worker": "embedded/worker.ts",
      "certificate-worker": "lib/certificates/worker.ts",
      "rpc-specification-worker": "lib/rpc-specification/worker.ts",
    },
    outdir: "dist",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // The package throws outside of a React server bundle; this is the file Next puts in its place.
    alias: { "server-only": "./node_modules/server-only/empty.js" },
    sourcemap: true,
    logLevel: "warning",
  });
}
