import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createServer } from "node:net";
import { listenOnSocket, makeConsoleSocket } from "@/lib/platform/process/socket-path";
import { temporaryFolder } from "@/test/support/temporary-folder";

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

it("N3: lies in a folder of mode 0700 in DATA_DIR, also when that was open to others", () => {
  const dataDir = temporaryFolder();
  mkdirSync(path.join(dataDir, "run"));
  chmodSync(path.join(dataDir, "run"), 0o755);
  const socket = makeConsoleSocket(dataDir);
  expect(socket.path).toBe(path.join(dataDir, "run", `console-${process.pid}.sock`));
  expect(modeOf(path.dirname(socket.path))).toBe(0o700);
});

it("N3: lies in the system's temporary folder where the path would be too long, or the folder cannot be made", async () => {
  const [temporary, dataDir] = [temporaryFolder(), path.join(temporaryFolder(), "x".repeat(90))];
  writeFileSync(path.join(path.dirname(dataDir), "file"), "");
  for (const folder of [dataDir, path.join(path.dirname(dataDir), "file")]) {
    const socket = makeConsoleSocket(folder, temporary);
    expect(path.dirname(path.dirname(socket.path))).toBe(temporary);
    expect(Buffer.byteLength(socket.path)).toBeLessThanOrEqual(100);
    expect(modeOf(path.dirname(socket.path))).toBe(0o700);
    await socket.remove();
    expect(existsSync(path.dirname(socket.path))).toBe(false);
  }
});

it("N3: what killed servers have left is removed, what a running one uses is not", () => {
  const dataDir = temporaryFolder();
  mkdirSync(path.join(dataDir, "run"));
  const file = (pid: number) => path.join(dataDir, "run", `console-${pid}.sock`);
  // The first process of the machine always runs; no process has the other number.
  for (const pid of [1, 4_999_999]) writeFileSync(file(pid), "");
  makeConsoleSocket(dataDir);
  expect([existsSync(file(1)), existsSync(file(4_999_999))]).toEqual([true, false]);
});

it("N3: a console takes the place of what a killed one has left; if that cannot be removed, it listens elsewhere", async () => {
  const [stale, stays, temporary] = [
    path.join(temporaryFolder(), "console-1.sock"),
    temporaryFolder(),
    temporaryFolder(),
  ];
  writeFileSync(stale, "");
  const listen = (at: string) => {
    const server = createServer();
    onTestFinished(() => void server.close());
    return listenOnSocket(server, at, temporary);
  };
  expect(await listen(stale)).toBe(stale);
  const elsewhere = await listen(stays);
  expect(path.dirname(path.dirname(elsewhere))).toBe(temporary);
  expect(modeOf(path.dirname(elsewhere))).toBe(0o700);
});
