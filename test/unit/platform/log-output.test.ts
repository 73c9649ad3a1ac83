import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLines, startLogChild } from "@/test/support/log-child";
import { mountSmallDisk } from "@/test/support/small-disk";

function countLines(lines: readonly string[]): { written: number; dropped: number; notes: number } {
  const parsed = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  const notes = parsed.filter(({ dropped }) => dropped !== undefined);
  for (const line of parsed) expect(line).toMatchObject({ process: "vehicle-worker-1" });
  const numbers = parsed.filter(({ n }) => n !== undefined).map(({ n }) => n);
  expect(numbers).toEqual(numbers.toSorted((a, b) => Number(a) - Number(b)));
  return {
    written: numbers.length,
    dropped: notes.reduce((sum: number, { dropped }) => sum + Number(dropped), 0),
    notes: notes.length,
  };
}

describe("N13: a reader that stands", () => {
  it("stops nothing: lines are held, then dropped whole; the log says how many where they are missing", async () => {
    const { child, order, last } = await startLogChild("pipe");
    expect(await order({ kind: "log", lines: 1000 })).toBe(0);
    const dropped = await order({ kind: "log", lines: 30_000 });
    expect(dropped).toBeGreaterThan(10_000);
    expect(await order({ kind: "log", lines: 1 })).toBe(dropped + 1);
    const read = readLines(child.stdout);
    await expect.poll(() => countLines(read()).dropped).toBe(dropped + 1);
    await order({ kind: "log", lines: 10 });
    const ended = last({ kind: "end" });
    await once(child, "close");
    expect(countLines(read())).toEqual({ written: 31_011 - dropped - 1, dropped: dropped + 1, notes: 1 });
    expect(await ended).toMatchObject({ status: 0 });
  });

  it("does not hold up the end for longer than a second", async () => {
    const { order, last } = await startLogChild("pipe");
    await order({ kind: "log", lines: 30_000 });
    expect(await last({ kind: "end" })).toMatchObject({ status: 0 });
  });

  it("goes away: the process lives on, drops lines, and ends", async () => {
    const { child, order, last } = await startLogChild("pipe");
    child.stdout?.destroy();
    for (let round = 0; round < 5; round++) await order({ kind: "log", lines: 6000 });
    expect(await order({ kind: "log", lines: 1 })).toBeGreaterThan(10_000);
    expect(await last({ kind: "end" })).toMatchObject({ status: 0 });
  });
});

it("N13: a write that never returns does not hold up the end", async () => {
  const { order, last } = await startLogChild("pipe", "./test/support/blocked-disk.mjs");
  await order({ kind: "log", lines: 30_000 });
  expect(await last({ kind: "end" })).toEqual({ status: null, signal: "SIGKILL" });
});

it("N13: who ends the process without waiting loses nothing while the log is read", async () => {
  const { child, last } = await startLogChild("pipe");
  const read = readLines(child.stdout);
  const closed = once(child, "close");
  expect(await last({ kind: "exit" })).toMatchObject({ status: 0 });
  await closed;
  expect(read().join("")).toContain("the last words");
});

it.each(["throw", "reject"] as const)("N13: an uncaught error (%s) is one line and ends the process", async (kind) => {
  const { child, last } = await startLogChild("pipe");
  const [out, err] = [readLines(child.stdout), readLines(child.stderr)];
  const closed = once(child, "close");
  expect(await last({ kind })).toMatchObject({ status: 1 });
  await closed;
  expect(err()).toEqual([""]);
  const lines = out().filter((line) => line !== "");
  expect(lines).toHaveLength(1);
  const { level, process, err: error } = JSON.parse(lines[0] ?? "");
  expect([level, process]).toEqual(["fatal", "vehicle-worker-1"]);
  expect(error.message).toBe(kind === "throw" ? "boom" : "mongodb://***@db.example.com/ refuses");
});

const disk = mountSmallDisk(8);
describe.skipIf(disk === null)("N13: a full disk under the log", () => {
  if (disk === null) return;
  afterAll(() => disk.unmount());
  const file = path.join(disk.folder, "server.log");

  it("stops nothing; with room again every line is there or counted", async () => {
    const fd = openSync(file, "a");
    const { order, last } = await startLogChild(fd);
    closeSync(fd);
    await order({ kind: "log", lines: 100 });
    await expect.poll(() => readFileSync(file, "utf8")).toContain('"n":99');
    disk.fill();
    expect(await order({ kind: "log", lines: 1000 })).toBe(0);
    const dropped = await order({ kind: "log", lines: 10_000 });
    expect(dropped).toBeGreaterThan(1000);
    disk.free();
    await expect.poll(() => readFileSync(file, "utf8")).toContain('"dropped"');
    await order({ kind: "log", lines: 5 });
    expect(await last({ kind: "end" })).toMatchObject({ status: 0 });
    const lines = readFileSync(file, "utf8").split("\n");
    expect(countLines(lines)).toEqual({ written: 11_105 - dropped, dropped, notes: 1 });
  });

  it("does not hold up the end for longer than a second", async () => {
    const fd = openSync(file, "a");
    const { order, last } = await startLogChild(fd);
    closeSync(fd);
    disk.fill();
    await order({ kind: "log", lines: 10_000 });
    expect(await last({ kind: "end" })).toMatchObject({ status: 0 });
  });
});
