import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isBuildOfSources, sourceStamp } from "@/scripts/stamp.mjs";

let root = "";
const file = (name: string) => path.join(root, name);
const isBuilt = (): unknown => isBuildOfSources(file("stamp"), root);

/** As a build does it: the stamp has the time at which it began. */
async function build(begunAt = new Date(), stamp: string = sourceStamp(root)): Promise<void> {
  writeFileSync(file("stamp"), stamp);
  utimesSync(file("stamp"), begunAt, begunAt);
  await wait(20);
}

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), "stamp-"));
  mkdirSync(file("lib/inner"), { recursive: true });
  writeFileSync(file("lib/inner/a.ts"), "one");
  writeFileSync(file("proxy.ts"), "two");
  await wait(20);
  await build();
});
afterEach(() => rmSync(root, { recursive: true }));

describe("whether there is a build of the sources", () => {
  it("there is one until something changes, and again for the same content", () => {
    expect(isBuilt()).toBe(true);
    writeFileSync(file("lib/inner/a.ts"), "ONE");
    expect(isBuilt()).toBe(false);
    writeFileSync(file("lib/inner/a.ts"), "one");
    expect(isBuilt()).toBe(true);
  });

  it("sources that were not touched since are not read", () => {
    writeFileSync(file("stamp"), `${process.version} of a build whose digest nobody can make`);
    const later = new Date(Date.now() - 5);
    utimesSync(file("stamp"), later, later);
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

  it("a change counts whose content says it is older than the build", () => {
    writeFileSync(file("proxy.ts"), "older");
    utimesSync(file("proxy.ts"), new Date(0), new Date(0));
    expect(isBuilt()).toBe(false);
  });

  it("a build of a clock that was ahead is compared", async () => {
    await build(new Date(Date.now() + 3_600_000));
    expect(isBuilt()).toBe(true);
    writeFileSync(file("proxy.ts"), "changed");
    expect(isBuilt()).toBe(false);
  });

  it("a build of another Node is none, nor is no build", async () => {
    await build(new Date(), sourceStamp(root).replace(process.version, "v1.2.3"));
    expect(isBuilt()).toBe(false);
    rmSync(file("stamp"));
    expect(isBuilt()).toBe(false);
  });
});
