import { describe, expect, it } from "vitest";
import type { Child } from "@/server/main/child";
import type { ToChild } from "@/lib/platform/process/messages";
import { ProcessGlobals } from "@/server/main/states";

function someProcesses() {
  const told = { one: [] as ToChild[], two: [] as ToChild[], console: [] as ToChild[], database: [] as ToChild[] };
  const child = (name: keyof typeof told) =>
    ({ name, tell: (message: ToChild) => void told[name].push(message) }) as unknown as Child;
  const [one, two, console, database] = [child("one"), child("two"), child("console"), child("database")];
  return { told, one, two, console, database, states: new ProcessGlobals({ vehicleWorkers: [one, two], console }) };
}

describe("what processes have to know of each other", () => {
  it("N5: the console is told the revision that every vehicle worker has reached, and null while there is no vehicle worker", () => {
    const { told, one, two, console, states } = someProcesses();
    states.greet(console);
    states.take(one, { kind: "serving", revision: 7 });
    states.take(two, { kind: "serving", revision: 5 });
    states.take(two, { kind: "serving", revision: 8 });
    states.leave(one);
    states.leave(two);
    const revisions = told.console.map((message) => message.kind === "served" && message.revision);
    expect(revisions).toEqual([null, 7, 5, 7, 8, null]);
  });

  it("N2: vehicle workers hear of commits, refused writes and packed certificates at once", () => {
    const { told, console, states } = someProcesses();
    const messages = [
      { kind: "committed", revision: 3 },
      { kind: "writes", refusal: "The disk is full" },
      { kind: "containers", containers: { a: "packed" } },
    ] as const;
    for (const message of messages) states.take(console, message);
    expect([told.one, told.two, told.console]).toEqual([messages, messages, []]);
  });

  it("N2: a process that comes later is told what holds", () => {
    const { told, one, console, database, states } = someProcesses();
    const address = { kind: "database", address: "mongodb://%2Fsocket/" } as const;
    const containers = { kind: "containers", containers: { a: "packed" } } as const;
    states.take(database, { kind: "ready", address: address.address });
    const confirmed = { kind: "confirmed", origin: { databaseId: "a", revision: 4, confirmedAt: 5 } } as const;
    states.take(one, confirmed);
    states.take(console, { kind: "ready", socket: "/tmp/console.sock" });
    states.take(console, containers);
    states.take(console, { kind: "committed", revision: 4 });
    for (const list of Object.values(told)) list.length = 0;
    states.greet(one);
    states.greet(console);
    const at = { kind: "console", path: "/tmp/console.sock" };
    expect(told.one).toEqual([address, confirmed, at, { kind: "committed", revision: 4 }, containers]);
    expect(told.console).toEqual([address, confirmed, containers, { kind: "served", revision: null }]);
  });
});
