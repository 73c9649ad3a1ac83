import { build } from "esbuild";
import { expect, it } from "vitest";

it("N2: a lane holds no framework, no console, no directory and no certificates", async () => {
  const { metafile } = await build({
    entryPoints: ["lib/lane/lane-server.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: "dist",
  });
  const own = Object.keys(metafile.inputs);
  expect(own).toContain("lib/lane/console-gateway.ts");
  expect(own.filter((file) => /^(?:app|models|embedded)\/|^lib\/(?:directory|certificates)\//.test(file))).toEqual([]);
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const foreign = packages.filter((name) => !name.startsWith("node:"));
  expect([...new Set(foreign)].sort()).toEqual(["negotiator", "pino", "qs", "zod"]);
});
