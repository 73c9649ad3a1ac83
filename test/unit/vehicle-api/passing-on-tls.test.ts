import { execFileSync } from "node:child_process";
import https from "node:https";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { startGateway } from "@/test/support/gateway";
import { temporaryFolder } from "@/test/support/temporary-folder";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  const out = ["-keyout", path.join(folder, "a.key"), "-out", path.join(folder, "a.crt")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a", "-days", "1", ...out], {
    stdio: "pipe",
  });
});

const tls = () => ({
  ...{ port: 0, certificatePath: path.join(folder, "a.crt"), privateKeyPath: path.join(folder, "a.key") },
  legacyCiphers: false,
});

function ask(port: number, onAnswer?: () => unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", rejectUnauthorized: false, agent: false };
    const asked = https.get(options, (answer) => {
      text(answer).then(resolve, reject);
      onAnswer?.();
    });
    asked.on("error", reject);
  });
}

it("N3: the console is told that a connection has TLS", async () => {
  const { securePort } = await startGateway(
    (request, response) => response.end(request.headers["x-vehicle-worker-peer"]),
    {},
    tls(),
  );
  expect(await ask(securePort)).toBe("127.0.0.1 https");
});

it("N3: half an answer is none over TLS either", async () => {
  let die: () => unknown = () => undefined;
  const { securePort } = await startGateway(
    (_, response) => {
      response.writeHead(200, { "Content-Length": 100 });
      response.write("half");
      die = () => response.socket?.destroy();
    },
    {},
    tls(),
  );
  await expect(ask(securePort, () => die())).rejects.toThrow("aborted");
});
