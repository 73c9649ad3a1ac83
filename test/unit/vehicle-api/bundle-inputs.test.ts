import { build, stop } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { vehicleWorker } from "@/scripts/bundle.mjs";

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
    ["the certificate worker", /^lib\/certificates\/(worker|app|generation|keys|making|commands)/],
    ["pages and routes", /^(app|lib\/(routes|console|simulator))\//],
    ["first data and files", /^(lib\/exchange|seed)\//],
    ["administration and the directory", /^lib\/(apps|content|gate|platform\/(auth|audit|backup|mail))\//],
    ["the transactions of writers", /^lib\/platform\/db\/(transaction|lock|prepare|writers)/],
    ["the looks of head units", /^lib\/policy\/(checks\/|head-unit\/head-unit-check)/],
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
});
