import { createServer } from "node:http";
import path from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { watchHealth } from "@/server/main/health-watch";
import { patiently as timeout } from "@/test/support/patience.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

afterEach(() => vi.useRealTimers());

it("N4: does not miss answers of a process without a socket, as in development", () => {
  vi.useFakeTimers();
  let usable = 0;
  const onSilence = vi.fn();
  const end = watchHealth({ socketPath: () => null, usableMs: () => (usable += 30_000), onSilence });
  vi.advanceTimersByTime(60_000);
  end();
  expect([usable, onSilence.mock.calls.length]).toEqual([900_000, 0]);
});

it("N4, F8: tells of a process that leaves 20 s that it could have used without an answer, and only of one that is ready", async () => {
  const socketPath = path.join(temporaryFolder(), "console.sock");
  let [asked, answers, isReady, usable] = [0, true, true, 0];
  const server = createServer((request, response) => {
    asked += 1;
    // The machine gives it half of the time that it needs.
    usable += 1_000;
    expect(request.url).toBe("/health");
    if (answers) response.end("OK");
  }).listen(socketPath);
  const onSilence = vi.fn();
  const end = watchHealth({
    socketPath: () => socketPath,
    usableMs: () => (isReady ? usable : null),
    onSilence,
    everyMs: 5,
  });
  onTestFinished(() => {
    end();
    server.close();
    server.closeAllConnections();
  });
  await expect.poll(() => asked, timeout).toBeGreaterThan(30);
  expect(onSilence).not.toHaveBeenCalled();
  answers = false;
  await expect.poll(() => onSilence, timeout).toHaveBeenCalledWith(20);
  isReady = false;
  // Questions under way still arrive: in turns of the event loop, however long one takes.
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 5));
  onSilence.mockClear();
  const before = asked;
  await new Promise((done) => setTimeout(done, 200));
  expect([onSilence.mock.calls.length, asked]).toEqual([0, before]);
});
