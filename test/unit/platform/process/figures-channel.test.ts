import { EventEmitter, once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import type { Figures, ToChild, ToMain } from "@/lib/platform/process/messages";
import {
  requestFigures,
  collectFigures,
  type FigureChannel,
  type FigureSource,
  sendFigures,
} from "@/lib/platform/process/figures-channel";

/** A process over a channel that keeps what is sent as JSON does. */
function aChild(name: string, collect: (() => Promise<Figures>) | null) {
  const [toChild, toMain] = [new EventEmitter(), new EventEmitter()];
  const copy = <T>(message: T): T => JSON.parse(JSON.stringify(message));
  const listen = (emitter: EventEmitter, listener: (message: any) => void) => {
    emitter.on("message", listener);
    return () => void emitter.off("message", listener);
  };
  const channel: FigureChannel = {
    tell: (message) => void setImmediate(() => toMain.emit("message", copy(message))),
    on: (kind, listener) =>
      listen(toChild, (message: ToChild) => {
        if (message.kind === kind) listener(message as never);
      }),
  };
  if (collect !== null) sendFigures(collect, channel);
  const source: FigureSource = {
    name,
    tell: (message) => void setImmediate(() => toChild.emit("message", copy(message))),
    on: (listener) => listen(toMain, listener),
  };
  return { channel, source, toMain, toChild };
}
afterEach(() => void vi.useRealTimers());
const figures = (name: string): Figures => [{ name, values: [] }];

it("N6: main collects from all processes at once and leaves out who does not answer in time", async () => {
  const [one, two] = [
    aChild("vehicle-worker-1", () => Promise.resolve(figures("a"))),
    aChild("vehicle-worker-2", () => Promise.resolve(figures("b"))),
  ];
  const [silent, gone] = [aChild("database", null), aChild("vehicle-worker-3", null)];
  const ended: FigureSource = {
    ...gone.source,
    tell: () => {
      throw new Error("channel closed");
    },
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const found = collectFigures({ id: 1 }, [one.source, silent.source, ended, two.source], 100);
  const answered = [one, two].map(({ toMain }) => once(toMain, "message"));
  await Promise.all(answered);
  vi.advanceTimersByTime(99);
  expect(await Promise.race([found, nextTurn("still waiting")])).toBe("still waiting");
  vi.advanceTimersByTime(1);
  expect(await found).toEqual({
    "vehicle-worker-1": figures("a"),
    database: [],
    "vehicle-worker-3": [],
    "vehicle-worker-2": figures("b"),
  });
  for (const { toMain } of [one, two, silent, gone]) expect(toMain.listenerCount("message")).toBe(0);
});

it("N6: nobody waits when all have answered", async () => {
  const one = aChild("vehicle-worker-1", () => Promise.resolve(figures("a")));
  expect(await collectFigures({ id: 1 }, [one.source], 2 ** 30)).toEqual({ "vehicle-worker-1": figures("a") });
});

it("N6: an answer to an earlier request is none to this", async () => {
  const child = aChild("vehicle-worker-1", null);
  const found = collectFigures({ id: 2 }, [child.source], 2 ** 30);
  const tell = (message: ToMain) => child.toMain.emit("message", message);
  tell({ kind: "figures", id: 1, figures: figures("old") });
  tell({ kind: "figures", id: 2, figures: figures("new") });
  expect(await found).toEqual({ "vehicle-worker-1": figures("new") });
});

it("N6: the console gets from main what main has collected, each time its own, and all or some", async () => {
  const vehicleWorker = aChild("vehicle-worker-1", (names = ["all"]) => Promise.resolve(figures(names.join())));
  const own = aChild("console", null);
  own.toMain.on("message", (message: ToMain) => {
    if (message.kind !== "collect") return;
    void collectFigures(message, [vehicleWorker.source], 2 ** 30).then((collected) =>
      own.toChild.emit("message", { kind: "collected", id: message.id, figures: collected }),
    );
  });
  const asked = [requestFigures(undefined, 2 ** 30, own.channel), requestFigures(["up"], 2 ** 30, own.channel)];
  expect(await Promise.all(asked)).toEqual([
    { "vehicle-worker-1": figures("all") },
    { "vehicle-worker-1": figures("up") },
  ]);
  expect(own.toChild.listenerCount("message")).toBe(0);
});

it("N6: a main that does not answer is down", async () => {
  const own = aChild("console", null);
  const said = once(own.toMain, "message");
  expect(await requestFigures(undefined, 50, own.channel)).toEqual({ main: [] });
  expect(await said).toEqual([expect.objectContaining({ kind: "collect" })]);
  await expect.poll(() => own.toChild.listenerCount("message")).toBe(0);
});

it("N6: a process whose figures cannot be read says so, and lives on", async () => {
  const { source } = aChild("console", () => Promise.reject(new Error("EMFILE")));
  expect(await collectFigures({ id: 1 }, [source], 60_000)).toEqual({ console: [] });
});
