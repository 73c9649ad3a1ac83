import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { isBuildOfSources, sourceStamp } from "@/scripts/stamp.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

let root = "";
const file = (name: string) => path.join(root, name);
const isBuilt = (): unknown => isBuildOfSources(file("stamp"), root);

beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(file("lib/inner"), { recursive: true });
  writeFileSync(file("lib/inner/a.ts"), "one");
  writeFileSync(file("proxy.ts"), "two");
  writeFileSync(file("stamp"), sourceStamp(root));
});

describe("whether there is a build of the sources", () => {
  it("there is one until something changes, and again for the same content", () => {
    expect(isBuilt()).toBe(true);
    writeFileSync(file("lib/inner/a.ts"), "ONE");
    expect(isBuilt()).toBe(false);
    writeFileSync(file("lib/inner/a.ts"), "one");
    expect(isBuilt()).toBe(true);
  });

  it.each(["lib/inner/new.ts", "app/new.ts", "instrumentation.ts"])("a new file counts: %s", (name) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), "new");
    expect(isBuilt()).toBe(false);
  });

  it("a file that is gone counts", () => {
    rmSync(file("lib/inner/a.ts"));
    expect(isBuilt()).toBe(false);
  });

  it("a build of another Node is none, nor is no build", () => {
    writeFileSync(file("stamp"), sourceStamp(root).replace(process.version, "v1.2.3"));
    expect(isBuilt()).toBe(false);
    rmSync(file("stamp"));
    expect(isBuilt()).toBe(false);
  });
});
