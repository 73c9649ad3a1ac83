import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { processTree, treeUse } from "@/test/support/process-tree";

/** `main` starts a vehicle worker and a console; the vehicle worker works for 300 ms of processor time before it says that it is there. */
const programs = {
  main: `import { fork } from "node:child_process";
    const at = (name) => new URL("./dist/" + name + ".js", import.meta.url);
    const children = ["vehicle-worker", "console"].map((name) => fork(at(name)));
    let ready = 0;
    for (const child of children) child.once("message", () => ++ready === 2 && process.send("ready"));
    process.once("disconnect", () => children.forEach((child) => child.disconnect()));`,
  "vehicle-worker": `const memory = Buffer.alloc(64 * 1024 * 1024, 1);
    const start = process.cpuUsage();
    for (let used = 0; used < 300_000;) { const { user, system } = process.cpuUsage(start); used = user + system; }
    process.send(memory.length);
    process.on("disconnect", () => process.exit());`,
  console: `process.send("ready"); process.on("disconnect", () => process.exit());`,
};

it("N17: memory and processor time are those of a process and its children, told by their role", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "process-tree-"));
  mkdirSync(path.join(folder, "dist"));
  writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(folder, "main.js"), programs.main);
  for (const name of ["vehicle-worker", "console"] as const)
    writeFileSync(path.join(folder, "dist", `${name}.js`), programs[name]);
  const child = spawn(process.execPath, [path.join(folder, "main.js")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
    rmSync(folder, { recursive: true });
  });
  await once(child, "message");
  const pid = child.pid ?? 0;
  expect(
    processTree(pid)
      .map(({ role }) => role)
      .sort(),
  ).toEqual(["console", null, "vehicle-worker"]);
  expect(processTree(pid)[0]).toMatchObject({ pid, role: null });
  expect(treeUse(pid, "vehicle-worker").cpuMs).toBeGreaterThanOrEqual(290);
  expect(treeUse(pid).cpuMs).toBeGreaterThan(treeUse(pid, "vehicle-worker").cpuMs);
  expect(treeUse(pid, "vehicle-worker").memory - treeUse(pid, "console").memory).toBeGreaterThan(32 * 1024 * 1024);
  expect(treeUse(pid, "database")).toEqual({ memory: 0, cpuMs: 0 });
});

it("N17: says so when there is no such process", () => {
  expect(() => processTree(2 ** 22 + 1)).toThrow("no process 4194305");
});
