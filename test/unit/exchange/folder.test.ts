import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listFiles, readFiles, writeFile } from "@/lib/exchange/folder";
import { canonical } from "@/lib/content/records/file-form";

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
        const read = canonical({ groups: [], ...readFiles(texts(one)) });
        expect(read).toEqual(canonical({ ...one }));
        // Written over other files it says the same.
        expect(canonical({ groups: [], ...readFiles(texts(one, texts(other))) })).toEqual(canonical({ ...one }));
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
    expect(canonical(readFiles(new Map([["groups/Base-4.yaml", changed]])))).toMatchObject({
      groups: [{ description: "New" }],
    });
  });

  it("tells which file is not YAML", () => {
    expect(() => readFiles(new Map([["groups/a.yaml", "a: [1"]]))).toThrow("groups/a.yaml is not YAML");
  });
});

describe("X1: the canonical form", () => {
  it("leaves out what is false, null or empty, and orders what has no order", () => {
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
});
