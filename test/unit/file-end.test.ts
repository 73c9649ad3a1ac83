import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { endFile } from "@/test/support/file-end";

it("names the timer, the server, the connection, the process and the thread that a file leaves behind", async () => {
  setInterval(() => undefined, 3_600_000).unref();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  const [accepted] = await once(server, "connection");
  const child = spawn("sleep", ["3600"]);
  const worker = new Worker("setInterval(() => undefined, 1_000)", { eval: true });
  const failure = await endFile(0).catch((error: unknown) => String(error));
  for (const what of ["setInterval of 3600000 ms", `"port":${port}`, `and ${port},`, "sleep 3600", "worker thread"]) {
    expect(failure).toContain(what);
  }
  expect(failure).toContain("test/unit/file-end.test.ts");
  child.kill("SIGKILL");
  socket.destroy();
  accepted.destroy();
  server.close();
  await Promise.all([once(child, "exit"), worker.terminate()]);
  await endFile(0);
});

it("waits for what is being closed", async () => {
  const child = spawn("sleep", ["3600"]);
  setTimeout(() => child.kill("SIGKILL"), 10);
  await endFile();
  expect(child.signalCode).toBe("SIGKILL");
});

it("what is bound ends with the process that started it, even if that is killed", async () => {
  const program = `
    import { spawn } from "node:child_process";
    import { bound } from "./test/support/processes.ts";
    const child = spawn(...bound("sh", ["-c", "echo started; exec sleep 3600"]));
    child.stdout.once("data", () => console.log(child.pid));
  `;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [pid] = (await once(parent.stdout, "data")) as [Buffer];
  const isThere = () => existsSync(`/proc/${Number(pid.toString())}`);
  expect(isThere()).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(isThere).toBe(false);
});
