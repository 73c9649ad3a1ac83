import { afterEach, describe, expect, it } from "vitest";
import { WorkerClient, type WorkerClientOptions } from "@/lib/certificates/worker/worker-client";

let client: WorkerClient;
afterEach(() => client.stop());

function clientOf(lines: string, options: Partial<WorkerClientOptions> = {}): { starts: () => number } {
  let starts = 0;
  const text = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", (message) => {
      const reply = (output) => parentPort.postMessage({ output });
      ${lines}
    });`;
  client = new WorkerClient({
    program: () => {
      starts += 1;
      return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
    },
    ...options,
  });
  return { starts: () => starts };
}
const run = (certificate: string) => client.run("container", { certificate, privateKey: "", passphrase: "" });

describe("the client of the certificate worker", () => {
  it("starts one worker for the first task and gives it one task at a time, in order", async () => {
    const { starts } = clientOf(`
      if (globalThis.busy) return reply("two at a time");
      globalThis.busy = true;
      setTimeout(() => { globalThis.busy = false; reply(message.input.certificate); }, 2);`);
    expect(starts()).toBe(0);
    const wanted = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    expect(await Promise.all(wanted.map(run))).toEqual(wanted);
    expect(starts()).toBe(1);
  });

  it.each([
    ["ends", `if (message.input.certificate === "bad") process.exit(3);`],
    ["throws", `if (message.input.certificate === "bad") throw new Error("secret");`],
    ["does not answer", `if (message.input.certificate === "bad") return;`],
    ["hangs", `if (message.input.certificate === "bad") for (;;);`],
  ])("replaces a worker that %s, and loses only the task under way", async (_, line) => {
    const { starts } = clientOf(`${line} reply("fine");`, { timeoutMs: 4000 });
    const results = await Promise.allSettled([run("good"), run("bad"), run("good")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { name: "WorkerTaskError", failure: "failed" } });
    expect(JSON.stringify(results)).not.toContain("secret");
    expect(starts()).toBe(2);
  });

  it("answers 503 when too many tasks wait", async () => {
    clientOf(`setTimeout(() => reply("fine"), 20);`, { maxWaiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => run("x")));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(results.at(-1)).toMatchObject({
      status: "rejected",
      reason: { status: 503, headers: { "Retry-After": "5" } },
    });
  });

  it("tells a task that failed from a worker that failed", async () => {
    const { starts } = clientOf(`parentPort.postMessage({ failure: "input", reason: "no key" });`);
    await expect(run("x")).rejects.toMatchObject({ failure: "input", message: "no key" });
    await expect(run("x")).rejects.toMatchObject({ failure: "input" });
    expect(starts()).toBe(1);
  });

  it("reports a worker that cannot be started, and tries again for the next task", async () => {
    let attempts = 0;
    client = new WorkerClient({
      program: () => {
        attempts += 1;
        throw new Error("there is no program");
      },
    });
    await expect(run("x")).rejects.toThrow("there is no program");
    await expect(run("x")).rejects.toThrow("there is no program");
    expect(attempts).toBe(2);
  });
});
