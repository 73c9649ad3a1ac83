import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { build, stop } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vehicleWorker, programs } from "@/scripts/bundle.mjs";

/** Inside the checkout, where a bundle finds its packages. */
const folder = mkdtempSync(path.join(process.cwd(), "node_modules", ".traces-"));

beforeAll(async () => {
  await build({
    ...vehicleWorker,
    entryPoints: { loaded: "test/support/otel-loaded.ts" },
    outdir: folder,
    sourcemap: false,
  });
});
afterAll(stop);
afterAll(() => rmSync(folder, { recursive: true }));

function run(env: Readonly<Record<string, string>>) {
  const output = execFileSync(process.execPath, [path.join(folder, "loaded.js")], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "test", DATA_DIR: folder, ...env },
  });
  return JSON.parse(output.toString()) as { isTracing: boolean; loaded: string[] };
}

describe("O4: the packages of OpenTelemetry", () => {
  it("O4: are not loaded without a collector", () => expect(run({})).toEqual({ isTracing: false, loaded: [] }));

  it("O4: are loaded with one", () => {
    const { isTracing, loaded } = run({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    expect(isTracing).toBe(true);
    expect(loaded).toEqual(
      expect.arrayContaining(["@opentelemetry/sdk-trace-base", "@opentelemetry/exporter-trace-otlp-http"]),
    );
  });

  it.each([
    ["vehicle-worker", vehicleWorker],
    ["console", programs],
    ["main", programs],
    ["database", programs],
  ])("O4: no program loads them at its start: %s", async (name, options) => {
    const { metafile } = await build({ ...options, write: false, metafile: true });
    const outputs = Object.entries(metafile.outputs);
    const [entry = ""] = outputs.find(([, { entryPoint }]) => entryPoint === `server/${name}.ts`) ?? [];
    const statics = new Set([entry]);
    for (const file of statics) {
      for (const { path: imported, kind, external } of metafile.outputs[file]?.imports ?? []) {
        if (kind === "import-statement" && external !== true) statics.add(imported);
      }
    }
    const packagesOf = (files: readonly string[]) =>
      files.flatMap((file) => [
        ...(metafile.outputs[file]?.imports ?? []).map((one) => one.path),
        ...Object.keys(metafile.outputs[file]?.inputs ?? {}),
      ]);
    // Its interface, which does nothing, is a part of prom-client.
    const ofOpenTelemetry = (one: string) => /@opentelemetry\/(?!api)/.test(one);
    expect(entry).not.toBe("");
    expect(packagesOf([...statics]).filter(ofOpenTelemetry)).toEqual([]);
    expect(packagesOf(outputs.map(([file]) => file)).some(ofOpenTelemetry)).toBe(true);
  });
});
