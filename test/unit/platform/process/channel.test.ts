import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { onMain, reachMain, whenMain } from "@/lib/platform/process/channel";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";
import { patiently as timeout } from "@/test/support/patience.mjs";

async function start(...more: string[]) {
  const child = fork("test/support/channel-process.ts", { execArgv: ["--import", "tsx", ...more], silent: true });
  const said: ToMain[] = [];
  child.on("message", (message: ToMain) => said.push(message));
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const tell = (...messages: ToChild[]) => messages.forEach((message) => child.send(message));
  const hears = (kind: ToMain["kind"], ...more: object[]) =>
    vi.waitFor(() => expect(said.filter((message) => message.kind === kind)).toMatchObject(more), timeout);
  await hears("hello", {});
  return { child, said, tell, hears };
}
const listen = { kind: "writes", refusal: "listen now" } as const;
const committed = (revision: number) => ({ kind: "committed", revision }) as const;

it("N1: a listener that comes later is told the last state of each kind, and no question of before", async () => {
  const { tell, hears } = await start();
  tell(committed(1), committed(2), { kind: "collect", id: 7 }, listen);
  await hears("serving", { revision: 2 });
  tell(committed(3));
  await hears("serving", { revision: 2 }, { revision: 3 });
});

it("N6: gives signs of life without the figure that the system does not give, and lives on", async () => {
  const noFigures = "process.memoryUsage.rss = () => { throw new Error('EMFILE') }";
  const { hears } = await start("--import", `data:text/javascript,${encodeURIComponent(noFigures)}`);
  await hears("alive", {}, {});
});

it("N1: ends as soon as main is gone, and with its own status when main says stop", async () => {
  const first = await start();
  first.tell(listen);
  await first.hears("alive", {});
  first.child.disconnect();
  expect(await once(first.child, "exit")).toEqual([0, null]);
  const early = await start();
  early.child.disconnect();
  expect(await once(early.child, "exit")).toEqual([0, null]);
  const second = await start();
  second.tell(listen, { kind: "stop" });
  expect(await once(second.child, "exit")).toEqual([5, null]);
});

it("N1: leaves signals to main", async () => {
  const { child, tell, hears } = await start();
  tell(listen, committed(1));
  await hears("serving", { revision: 1 });
  for (const signal of ["SIGINT", "SIGTERM"] as const) child.kill(signal);
  tell(committed(2));
  await hears("serving", { revision: 1 }, { revision: 2 });
});

it("listens no longer for a state that it has waited for", async () => {
  const events = new EventEmitter();
  reachMain({ events, tell: () => undefined });
  onTestFinished(() => reachMain(null));
  const told = whenMain("writes");
  expect(events.listenerCount("message")).toBe(1);
  events.emit("message", listen);
  expect(await told).toEqual(listen);
  await vi.waitFor(() => expect(events.listenerCount("message")).toBe(0), timeout);
});

it("has one listener at the channel, however many there are in the process", () => {
  const events = new EventEmitter();
  reachMain({ events, tell: () => undefined });
  onTestFinished(() => reachMain(null));
  const heard: number[] = [];
  for (let at = 0; at < 12; at++) onMain("committed", () => heard.push(at));
  expect(events.listenerCount("message")).toBe(1);
  events.emit("message", committed(1));
  expect(heard).toHaveLength(12);
});
