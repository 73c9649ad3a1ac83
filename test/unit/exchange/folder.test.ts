import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseFiles, listFiles, readFiles, writeFile } from "@/lib/exchange/folder";
import { canonical } from "@/lib/records/store/file-form";

const aGroup = (name: string) => ({ name, rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] });
const texts = (document: object, before = new Map<string, string>()) =>
  new Map(Array.from(listFiles(document), ([file, value]) => [file, writeFile(value, before.get(file))]));

describe("X1: a document as files", () => {
  it("has a file for each item, whose names every file system takes and keeps apart", () => {
    const names = ["Base-4", "base-4", "a/b", "a_b", "..", "", "日".repeat(85), "x".repeat(255), "CON"];
    const files = [...listFiles({ groups: names.map(aGroup) }).keys()];
    expect(files[0]).toBe("groups/Base-4.yaml");
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
    for (const file of files) expect(file).toMatch(/^groups\/[A-Za-z0-9_-]{0,100}(\.[0-9a-f]{8})?\.yaml$/);
  });

  it("is the same document when read again, whatever its texts hold", () => {
    const text = fc.string({ unit: "binary", minLength: 1 }).filter((one) => one.isWellFormed());
    const rpc = fc.record({ name: text, hmi_levels: fc.subarray(["FULL", "NONE"]), parameters: fc.uniqueArray(text) });
    const group = fc.record({
      name: text,
      description: text,
      is_default: fc.boolean(),
      rpcs: fc.array(rpc, { maxLength: 3 }),
    });
    const document = fc
      .uniqueArray(group, { selector: ({ name }) => name, maxLength: 5 })
      .map((groups) => canonical({ format: "open-policy/1", groups, apps: [{ uuid: "u", versions: [] }] }) as any);
    fc.assert(
      fc.property(document, document, (one, other) => {
        expect(canonical({ groups: [], ...readFiles(texts(one)).document })).toEqual(canonical({ ...one }));
        expect(canonical({ groups: [], ...readFiles(texts(one, texts(other))).document })).toEqual(
          canonical({ ...one }),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("keeps comments, order and form of what does not change", () => {
    const head = "# What every app may do\nname: Base-4\nrpcs:\n";
    const kept = "  # shown to the driver\n  - name: Show\n    hmi_levels: [FULL, LIMITED] # not in BACKGROUND\n";
    const before = `${head}${kept}  - name: Speak\n    hmi_levels: [FULL]\n`;
    const [speak, alert] = ["Speak", "Alert"].map((name) => ({ name, hmi_levels: ["FULL"] }));
    const show = { name: "Show", hmi_levels: ["LIMITED", "FULL"] };
    expect(writeFile({ name: "Base-4", rpcs: [speak, show] }, before)).toBe(before);
    const changed = writeFile({ name: "Base-4", description: "New", rpcs: [alert, show] }, before);
    expect(changed).toContain("# What every app may do\n");
    expect(changed).toContain(kept);
    expect(changed).not.toContain("Speak");
    expect(canonical(readFiles(new Map([["groups/Base-4.yaml", changed]])).document)).toMatchObject({
      groups: [{ description: "New" }],
    });
  });

  it.each([
    ["a: [1", "groups/a.yaml is not YAML: line 1, column 6: "],
    ["name: A\nname: B\n", "groups/a.yaml is not YAML: line 2, column 1: Map keys must be unique"],
    ["name: A\n---\nname: B\n", "groups/a.yaml is not one item: line 2, column 1: a second item begins here"],
    ["name: *b\n", "groups/a.yaml is not YAML: "],
  ])("X1a: tells file and place of what is not YAML or more than an item: %j", (text, sentence) => {
    expect(() => readFiles(new Map([["groups/a.yaml", text]]))).toThrow(sentence);
  });

  it("X1a: reads .yaml, .yml and .json in any case, and puts file and line into what the server says", () => {
    const files = ["Messages/a.YAML", "MODULE-CONFIG.yml", "apps.JSON", "groups/b.yml", "groups/c.json"];
    const others = ["README.txt", ".gitlab-ci.yml", "groups/README", "groups/.gitkeep", "plan.out"];
    expect(chooseFiles([...files, ...others])).toEqual(files);
    const texts = ["{}", "endpoints: {}\n", "[]", "name: B\n\nis_default: 1\nrpcs: []", '{"name": "C"}'];
    const { document, locate } = readFiles(new Map(files.map((file, at) => [file, texts[at] ?? ""])));
    expect(document).toMatchObject({ messages: [{}], apps: [], groups: [{ name: "B" }, { name: "C" }] });
    for (const [said, located] of [
      ["document.groups.0.is_default must be true or false", "groups/b.yml:3: is_default must be true or false"],
      ["document.groups.1.rpcs is required", "groups/c.json:1: rpcs is required"],
      ["document.module_config.endpoints.0x04 is required", "MODULE-CONFIG.yml:1: endpoints.0x04 is required"],
      ["group B: it is wrong (document.groups[0])", "group B: it is wrong (groups/b.yml:1)"],
    ] as const)
      expect(locate(said)).toBe(located);
  });

  it.each([
    ...["groups/nav/x.yaml", "groups/x.txt", "groups/x.yaml.bak", "groups/.x.yaml", "group/x.yaml", "policy.json"],
    ...["vehicle_data/x.yml", "drafts/groups/x.yaml", "modules.yaml"],
  ])("X1a: refuses %s by its name, and reads nothing", (file) => {
    expect(() => chooseFiles(["groups/a.yaml", file])).toThrow(`${file}: not a file of a policy`);
  });

  it("X1a: refuses a second file of what there is once", () => {
    const files = ["module-config.yaml", "module-config.yml"];
    expect(() => chooseFiles(files)).toThrow("module-config.yml: there is another file module-config.yaml");
  });
});

it("X1: the canonical form: leaves out what is false, null or empty, and orders what has no order", () => {
  const one = {
    is_default: false,
    name: "A",
    rpcs: [
      { name: "B", parameters: [], hmi_levels: ["NONE", "FULL"] },
      { name: "A", hmi_levels: [] },
    ],
  };
  expect(JSON.stringify(canonical(one))).toBe(
    '{"name":"A","rpcs":[{"hmi_levels":[],"name":"A"},{"hmi_levels":["FULL","NONE"],"name":"B"}]}',
  );
  const config = { seconds_between_retries: [5, 1], min_value: 0 };
  expect(canonical(config)).toEqual({ seconds_between_retries: [5, 1], min_value: 0 });
});
