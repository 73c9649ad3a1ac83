import { build, stop } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { vehicleWorker } from "@/scripts/bundle.mjs";

/** What the modules that a vehicle worker loads at once, and those that it loads later, are made of: our files and packages. */
let atOnce: string[] = [];
let later: string[] = [];

beforeAll(async () => {
  const { metafile } = await build({ ...vehicleWorker, write: false, metafile: true });
  await stop();
  const outputs = Object.entries(metafile.outputs).filter(([name]) => name.endsWith(".js"));
  const contentOf = (names: ReadonlySet<string>) => {
    const found = outputs.filter(([name]) => names.has(name)).map(([, output]) => output);
    const packages = found.flatMap(({ imports }) => imports.filter((one) => one.external).map((one) => one.path));
    return [...new Set([...found.flatMap(({ inputs }) => Object.keys(inputs)), ...packages])].toSorted();
  };
  const statics = new Set(
    outputs.filter(([, { entryPoint }]) => entryPoint === "server/vehicle-worker.ts").map(([name]) => name),
  );
  for (const name of statics) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind === "import-statement") statics.add(path);
    }
  }
  atOnce = contentOf(statics);
  later = contentOf(new Set(outputs.map(([name]) => name).filter((name) => !statics.has(name))));
});

const ofPackage = (name: string) => new RegExp(`^(@[^/]+/)?${name}(/|$)|node_modules/${name}/`);

describe("N2: what a vehicle worker contains", () => {
  it.each([
    ["Next", ofPackage("next")],
    ["React", ofPackage("react")],
    ["React's pages", ofPackage("react-dom")],
    ["certificates' making", ofPackage("node-forge")],
    ["the certificate worker", /^lib\/certificates\/(worker|generation|issue|pkcs12|bundle|commands)/],
    ["workers", /^lib\/workers\//],
    ["the directory", /^lib\/directory\//],
    ["pages and routes", /^app\//],
    ["first data", /^(lib\/seed|seed)\//],
    [
      "administration",
      /^lib\/(auth\/(admin|login|session|ended)|audit|applications\/commands|groups\/commands|module-config|console)/,
    ],
    ["the transactions of writers", /^lib\/db\/(transaction|lock|prepare)/],
    ["the looks of head units", /^lib\/policy\/(inspection|findings|head-unit-check)/],
    ["the embedded database", /^embedded\//],
  ])("not %s", (_, pattern) => {
    const content = [...atOnce, ...later];
    expect(
      content.filter((one) => pattern.test(one)),
      `a vehicle worker holds ${content.join(", ")}`,
    ).toEqual([]);
  });

  it("the driver of the database only once vehicles are served from the disk", () => {
    const driver = (content: readonly string[]) => content.filter((one) => /^(mongoose|mongodb)$|^models\//.test(one));
    expect(driver(atOnce), `at once it loads ${atOnce.join(", ")}`).toEqual([]);
    expect(driver(later)).toContain("mongoose");
    expect(atOnce).toContain("lib/policy/saved/snapshot-file.ts");
  });

  // Its interface, which does nothing, is a part of prom-client.
  it("OpenTelemetry only where there is a collector", () => {
    const ofTraces = (content: readonly string[]) => content.filter((one) => /@opentelemetry\/(?!api)/.test(one));
    expect(ofTraces(atOnce), `at once it loads ${atOnce.join(", ")}`).toEqual([]);
    expect(atOnce).not.toContain("lib/platform/traces/sdk.ts");
    expect(later).toContain("lib/platform/traces/sdk.ts");
    expect(later).toContain("@opentelemetry/sdk-trace-base");
  });
});
