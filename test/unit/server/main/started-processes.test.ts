import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { StartedProcesses } from "@/server/main/started-processes";
import { patiently as timeout } from "@/test/support/patience.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

const stateOf = (pid: number) =>
  existsSync(`/proc/${pid}`) ? /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] : "gone";

async function aNote() {
  const dataDir = temporaryFolder();
  const started = new StartedProcesses(dataDir);
  const child = spawn(process.execPath, ["test/support/child-program.mjs", "waits", path.join(dataDir, "starts")], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const file = path.join(dataDir, "run", `processes-${process.pid}.json`);
  started.follow(child);
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8"), timeout).toContain(`"pid":${child.pid}`);
  const edit = (change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, "utf8")));
  return { dataDir, child, pid: child.pid ?? 0, file, edit };
}

const mainIsGone = (text: string) => text.replace(/("main":{"pid":\d+,"startedAt":")\d+/, "$11");

it.skipIf(process.platform !== "linux")("F6: ends what outlives its main, also when it is stopped", async () => {
  const { dataDir, child, pid, file, edit } = await aNote();
  child.kill("SIGSTOP");
  await expect.poll(() => stateOf(pid), timeout).toBe("T");
  edit(mainIsGone);
  // A main that is gone notes no ends any more.
  child.removeAllListeners("exit");
  expect(await new StartedProcesses(dataDir).endLeftBehind()).toBe(1);
  expect(["Z", "gone"]).toContain(stateOf(pid));
  expect(existsSync(file)).toBe(false);
});

it.skipIf(process.platform !== "linux")(
  "F6: ends nothing of a main that runs, and no other process of the same number",
  async () => {
    const { dataDir, pid, file, edit } = await aNote();
    expect(await new StartedProcesses(dataDir).endLeftBehind()).toBe(0);
    expect(existsSync(file)).toBe(true);
    const other = (text: string) => text.replace(/("children":\[{"pid":\d+,"startedAt":")\d+/, "$11");
    edit((text) => other(mainIsGone(text)));
    expect(await new StartedProcesses(dataDir).endLeftBehind()).toBe(0);
    expect(["R", "S", "D"]).toContain(stateOf(pid));
    writeFileSync(file, "half a fi");
    expect(await new StartedProcesses(dataDir).endLeftBehind()).toBe(0);
    expect(existsSync(file)).toBe(false);
  },
);

it.skipIf(process.platform !== "linux")("F6: forgets a process that has ended", async () => {
  const { child, file } = await aNote();
  child.kill("SIGKILL");
  await expect.poll(() => readFileSync(file, "utf8"), timeout).toContain('"children":[]');
});
