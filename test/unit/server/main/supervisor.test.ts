import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Supervisor } from "@/server/main/supervisor";
import type { ToMain } from "@/lib/platform/process/messages";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function aSupervisor(vehicleWorkers: number) {
  const started: string[] = [];
  const told: string[] = [];
  const processes = new Map<string, EventEmitter>();
  const start = (name: string): ChildProcess => {
    const send = (message: { kind: string }) => void told.push(`${name} ${message.kind}`);
    const one = Object.assign(new EventEmitter(), {
      connected: true,
      kill: () => true,
      send,
      exitCode: null,
      signalCode: null,
    });
    started.push(name);
    processes.set(name, one);
    return one as unknown as ChildProcess;
  };
  const supervisor = new Supervisor({
    programs: { vehicleWorker: start, console: () => start("console"), database: () => start("database") },
    vehicleWorkers,
    vehicleWorkerMemory: 800 * 1024 ** 2,
    ports: { onPair: () => undefined, tellAll: () => undefined, tellPair: () => undefined, close: () => undefined },
    drainMs: 0,
    onReady: () => undefined,
    onGiveUp: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const says = (name: string, message: ToMain) => void processes.get(name)?.emit("message", message);
  const ready = (name: string) => says(name, { kind: "ready" });
  const ends = (name: string) => {
    const one = processes.get(name);
    return () => void one?.emit("exit", 0, null);
  };
  supervisor.start();
  return { supervisor, started, told, says, ready, ends };
}

const mebibytes = (count: number) => count * 1024 ** 2;

it("F4: vehicle workers that come near their limit of memory are replaced, one after the other, and not at once again", async () => {
  const { supervisor, started, told, says, ready, ends } = aSupervisor(2);
  const alive = (name: string, memory: number) => says(name, { kind: "alive", memory: mebibytes(memory) });
  const both = ["vehicle-worker-1", "vehicle-worker-2"];
  both.forEach(ready);
  const endFirst = ends("vehicle-worker-1");
  const pass = async (seconds: number, memory: number) => {
    for (let at = 0; at < seconds; at++) {
      for (const name of [...both, "console", "database"]) alive(name, memory);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  };
  const vehicleWorkersStarted = () => started.filter((name) => name.startsWith("vehicle-worker"));
  // It has only just begun: another one would need as much.
  await pass(50, 900);
  expect(vehicleWorkersStarted()).toEqual(both);
  await pass(15, 900);
  expect(vehicleWorkersStarted()).toEqual([...both, "vehicle-worker-1"]);

  expect(told.filter((one) => one.endsWith("retire"))).toEqual([]);
  ready("vehicle-worker-1");
  expect(told.filter((one) => one.endsWith("retire"))).toEqual(["vehicle-worker-1 retire"]);
  await pass(20, 900);
  expect(vehicleWorkersStarted()).toHaveLength(3);
  expect(told.filter((one) => one.endsWith("stop"))).toEqual(["vehicle-worker-1 stop"]);
  endFirst();
  await pass(100, 700);
  expect(vehicleWorkersStarted()).toHaveLength(3);
  supervisor.destroy();
});

describe("N2: vehicles first", () => {
  it("N2: the others start when all vehicle workers are ready, once", async () => {
    const { supervisor, started, ready } = aSupervisor(2);
    ready("vehicle-worker-2");
    expect(started).toEqual(["vehicle-worker-1", "vehicle-worker-2"]);
    ready("vehicle-worker-1");
    expect(started).toEqual(["vehicle-worker-1", "vehicle-worker-2", "database", "console"]);
    await vi.advanceTimersByTimeAsync(5_000);
    ready("vehicle-worker-1");
    expect(started).toHaveLength(4);
    supervisor.destroy();
  });

  it("N2: they do not wait for vehicle workers with nothing on disk, which wait for them", () => {
    const { supervisor, started, says, ready } = aSupervisor(2);
    says("vehicle-worker-1", { kind: "tried" });
    expect(started).toEqual(["vehicle-worker-1", "vehicle-worker-2"]);
    ready("vehicle-worker-2");
    expect(started).toEqual(["vehicle-worker-1", "vehicle-worker-2", "database", "console"]);
    supervisor.destroy();
  });

  it("N2: they wait for vehicle workers no longer than 2 s, and for none in development", async () => {
    const { supervisor, started } = aSupervisor(1);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(started).toEqual(["vehicle-worker-1"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual(["vehicle-worker-1", "database", "console"]);
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
    expect(started).toEqual(["vehicle-worker-1"]);
  });
});
