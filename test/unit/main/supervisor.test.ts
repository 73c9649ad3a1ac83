import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Supervisor } from "@/lib/main/supervisor";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A supervisor over processes that do nothing by themselves, and the names of those it has started. */
function aSupervisor(lanes: number) {
  const started: string[] = [];
  const processes = new Map<string, EventEmitter>();
  const start = (name: string): ChildProcess => {
    const one = Object.assign(new EventEmitter(), { connected: false, kill: () => true });
    started.push(name);
    processes.set(name, one);
    return one as unknown as ChildProcess;
  };
  const supervisor = new Supervisor({
    programs: { lane: start, console: () => start("console"), database: () => start("database") },
    lanes,
    consoleSocket: "/nowhere",
    drainMs: 0,
    onReady: () => undefined,
    onGiveUp: () => undefined,
    droppedLines: () => 0,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const ready = (name: string) => processes.get(name)?.emit("message", { kind: "ready" });
  supervisor.start();
  return { supervisor, started, ready };
}

describe("N2: vehicles first", () => {
  it("N2: the others start when all lanes are ready, once", async () => {
    const { supervisor, started, ready } = aSupervisor(2);
    ready("lane-2");
    expect(started).toEqual(["lane-1", "lane-2"]);
    ready("lane-1");
    expect(started).toEqual(["lane-1", "lane-2", "database", "console"]);
    await vi.advanceTimersByTimeAsync(5_000);
    ready("lane-1");
    expect(started).toHaveLength(4);
    supervisor.destroy();
  });

  it("N2: they wait for lanes no longer than 2 s, and for none in development", async () => {
    const { supervisor, started } = aSupervisor(1);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(started).toEqual(["lane-1"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual(["lane-1", "database", "console"]);
    supervisor.destroy();
    const development = aSupervisor(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(development.started).toEqual(["database", "console"]);
    development.supervisor.destroy();
  });

  it("N12: a stop before that starts nothing any more", async () => {
    const { supervisor, started } = aSupervisor(1);
    supervisor.destroy();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(started).toEqual(["lane-1"]);
  });
});
