import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { isOtherProcess } from "@/lib/platform/process/run-time";

it("a process is another one while it runs", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  expect(isOtherProcess(pid)).toBe(true);
  child.stdin.end();
  await once(child, "exit");
  expect(isOtherProcess(pid)).toBe(false);
});

it("this process is no other one", () => {
  expect(isOtherProcess(process.pid)).toBe(false);
});

it("one that may not be signalled runs", () => {
  const refused = Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw refused;
  });
  onTestFinished(() => kill.mockRestore());
  expect(isOtherProcess(1)).toBe(true);
});
