import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import path from "node:path";
import { json } from "node:stream/consumers";
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { expect, it, onTestFinished, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { HeldPorts, type PortSettings } from "@/server/main/held-ports";
import type { ToChild } from "@/lib/platform/process/messages";
import { jsonOf, send } from "@/test/support/worker-server";
import { freePort } from "@/test/support/server";
import { hangMs } from "@/test/support/patience.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

const timeout = { timeout: hangMs(120), interval: 20 };

async function holdPorts(tls: PortSettings["tls"] = null) {
  const port = await freePort();
  const ports = await HeldPorts.open({ listenAddress: "127.0.0.1", policyServerPort: port, tls }, 20);
  onTestFinished(() => ports.close());
  const startVehicleWorker = (revision: number, when = "", openFiles?: number) => {
    const env = { ...process.env, ...(tls && { TEST_TLS: "1" }) };
    const options = { execArgv: ["--import", "tsx"], env };
    const program = ["test/support/worker-process.ts", String(revision), when] as const;
    const limited = `ulimit -n ${openFiles}; exec "$0" --import tsx "$@"`;
    const vehicleWorker =
      openFiles === undefined
        ? fork(program[0], program.slice(1), options)
        : spawn("sh", ["-c", limited, process.execPath, ...program], {
            env,
            stdio: ["ignore", "ignore", "inherit", "ipc"],
          });
    onTestFinished(() => void vehicleWorker.kill("SIGKILL"));
    const tell = (message: ToChild, socket?: unknown) => void vehicleWorker.send(message, socket as never);
    const ready = new Promise<void>((resolve) => {
      vehicleWorker.on("message", ({ kind }: { kind: string }) => {
        if (kind === "hello") ports.tellAll({ tell });
        if (kind === "ready") resolve();
      });
    });
    ports.onPair(() => ports.tellPair({ tell }));
    return { vehicleWorker, tell, ready };
  };
  const url = `http://127.0.0.1:${port}`;
  const ask = async (): Promise<number> => jsonOf(await send(`${url}/health/ready`, { method: "GET" })).revision;
  return { port, url, startVehicleWorker, ask };
}

const kill = async (...vehicleWorkers: ChildProcess[]) => {
  const ended = vehicleWorkers.map((vehicleWorker) => once(vehicleWorker, "exit"));
  for (const vehicleWorker of vehicleWorkers) vehicleWorker.kill("SIGKILL");
  await Promise.all(ended);
};

it("F4: a port opens with the first vehicle worker that is ready; while vehicle workers are killed and replaced, connections wait", async () => {
  const { startVehicleWorker, ask } = await holdPorts();
  const first = startVehicleWorker(1, "late");
  await once(first.vehicleWorker, "message");
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
  first.tell({ kind: "drain" });
  await first.ready;
  expect(await ask()).toBe(1);
  await kill(first.vehicleWorker);
  const waiting = Array.from({ length: 50 }, ask);
  const second = startVehicleWorker(2);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([2]));
  // One that is stopped takes nothing; the other one does.
  await second.ready;
  await startVehicleWorker(3).ready;
  second.vehicleWorker.kill("SIGSTOP");
  expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([3]));
});

it("N2: when one of two vehicle workers stops the other answers, and nothing is cut off", async () => {
  const { startVehicleWorker, ask } = await holdPorts();
  const [one, two] = [startVehicleWorker(1), startVehicleWorker(2)];
  await Promise.all([one.ready, two.ready]);
  const ended = once(one.vehicleWorker, "exit");
  one.tell({ kind: "stop" });
  expect(await ended).toEqual([0, null]);
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([2]));
});

it("F4: a vehicle worker that is replaced answers once more on the connections that it has, and takes no others", async () => {
  const { url, startVehicleWorker, ask } = await holdPorts();
  const old = startVehicleWorker(1);
  await old.ready;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const askKept = () =>
    new Promise<{ status: number | undefined; connection: string | undefined; revision: number }>((resolve, reject) => {
      request(`${url}/health/ready`, { agent }, (answer) => {
        const { statusCode: status, headers } = answer;
        void json(answer).then((body) => {
          const { revision } = body as { revision: number };
          resolve({ status, connection: headers.connection, revision });
        }, reject);
      })
        .on("error", reject)
        .end();
    });
  expect(await askKept()).toEqual({ status: 200, connection: "keep-alive", revision: 1 });
  await startVehicleWorker(2).ready;
  old.tell({ kind: "retire" });
  await vi.waitFor(async () => expect(await ask()).toBe(2), timeout);
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([2]));
  expect(await askKept()).toEqual({ status: 200, connection: "close", revision: 1 });
  expect(await askKept()).toEqual({ status: 200, connection: "keep-alive", revision: 2 });
});

it.runIf(process.platform === "linux").each([128, 256])(
  "N8a: with %i open files allowed and more idle clients than that, a vehicle worker lives and answers cars",
  async (openFiles) => {
    const { port, startVehicleWorker, ask } = await holdPorts();
    const { vehicleWorker, ready } = startVehicleWorker(1, "", openFiles);
    await ready;
    let open = 0;
    const clients = Array.from({ length: 2 * openFiles }, () => {
      return connectPlain(port, "127.0.0.1")
        .on("error", () => undefined)
        .on("connect", () => open++);
    });
    onTestFinished(() => clients.forEach((socket) => socket.destroy()));
    await vi.waitFor(() => expect(open).toBe(clients.length), timeout);
    // It has given a sign of life with all of them, and takes one more.
    await once(vehicleWorker, "message");
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect([vehicleWorker.exitCode, vehicleWorker.signalCode]).toEqual([null, null]);
  },
);

it("F5: a vehicle worker that starts while the TLS files are broken gets the last good pair, and the plain port stays open", async () => {
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  for (const name of ["one", "two"]) {
    const kind = ["-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${name}`, "-days", "1"];
    execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", at(`${name}.key`), "-out", at(`${name}.crt`)], {
      stdio: "pipe",
    });
  }
  const put = (name: string) => {
    copyFileSync(at(`${name}.crt`), at("server.crt"));
    copyFileSync(at(`${name}.key`), at("server.key"));
  };
  put("one");
  const port = await freePort();
  const files = { certificatePath: at("server.crt"), privateKeyPath: at("server.key"), legacyCiphers: false };
  const nameOn = async () => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return CN;
  };
  const error = vi.spyOn(log, "error").mockReturnValue();
  onTestFinished(() => error.mockRestore());
  const { startVehicleWorker, ask } = await holdPorts({ ...files, port });
  writeFileSync(at("server.key"), "broken");
  await expect.poll(() => error.mock.calls.length, timeout).toBe(1);
  const vehicleWorker = startVehicleWorker(1);
  await vehicleWorker.ready;
  expect([await nameOn(), await ask()]).toEqual(["one", 1]);
  put("two");
  await expect.poll(nameOn, timeout).toBe("two");
  await kill(vehicleWorker.vehicleWorker);
  writeFileSync(at("server.crt"), "broken");
  await startVehicleWorker(2).ready;
  expect([await nameOn(), await ask()]).toEqual(["two", 2]);
});
