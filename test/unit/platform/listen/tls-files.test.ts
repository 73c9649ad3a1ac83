import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { connect, type ConnectionOptions } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { closeServers } from "@/lib/platform/listen/listen";
import { listen } from "@/test/support/listen";
import { temporaryFolder } from "@/test/support/temporary-folder";

let folder: string;
let servers: Server[] = [];
const at = (name: string) => path.join(folder, name);

beforeAll(() => {
  folder = temporaryFolder();
  for (const name of ["one", "two"]) {
    const out = ["-keyout", at(`${name}.key`), "-out", at(`${name}.crt`)];
    const kind = ["-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${name}`, "-days", "1"];
    execFileSync("openssl", ["req", "-x509", ...kind, ...out], { stdio: "pipe" });
  }
});
beforeEach(() => put("one", "one"));
afterEach(async () => {
  vi.restoreAllMocks();
  await closeServers(servers, 0);
});

function put(certificate: string, key: string): void {
  copyFileSync(at(`${certificate}.crt`), at("server.crt"));
  copyFileSync(at(`${key}.key`), at("server.key"));
}

async function serve(legacyCiphers = false): Promise<number> {
  const tls = { port: 0, certificatePath: at("server.crt"), privateKeyPath: at("server.key"), legacyCiphers };
  servers = await listen((_request, response) => response.end(), {
    ...{ address: "127.0.0.1", port: 0, tls },
    checkEveryMs: 20,
  });
  return (servers[1]?.address() as AddressInfo).port;
}

async function shake(port: number, options: ConnectionOptions = {}): Promise<{ name?: string; cipher?: string }> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  try {
    await once(socket, "secureConnect");
    return { name: String(socket.getPeerCertificate().subject.CN), cipher: socket.getCipher().name };
  } catch {
    return {};
  } finally {
    socket.destroy();
  }
}

describe("finding B10: TLS", () => {
  it("takes TLS 1.3, and of TLS 1.2 forward-secret authenticated ciphers only", async () => {
    const port = await serve();
    expect((await shake(port)).cipher).toMatch(/^TLS_/);
    const old = { maxVersion: "TLSv1.2" } as const;
    expect((await shake(port, old)).cipher).toMatch(/^ECDHE-RSA-.*(GCM|POLY1305)/);
    for (const ciphers of ["AES128-GCM-SHA256", "AES256-SHA", "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA"]) {
      expect(await shake(port, { ...old, ciphers })).toEqual({});
    }
  });

  it("TLS_LEGACY_CIPHERS: also takes what old head units know", async () => {
    const { cipher } = await shake(await serve(true), { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256" });
    expect(cipher).toBe("AES128-GCM-SHA256");
  });

  it("gives a handshake 10 s", async () => {
    const create = vi.spyOn(https, "createServer");
    await serve();
    expect(create).toHaveBeenCalledWith(expect.objectContaining({ handshakeTimeout: 10_000 }));
  });

  it("takes up a certificate that was renewed, without a restart", async () => {
    const port = await serve();
    expect((await shake(port)).name).toBe("one");
    put("two", "two");
    await expect.poll(async () => (await shake(port)).name).toBe("two");
  });

  it("keeps what it has when the new files cannot be used, says so once, and takes up the next ones", async () => {
    const error = vi.spyOn(log, "error").mockReturnValue();
    const port = await serve();
    put("two", "one");
    await expect.poll(() => error.mock.calls.length).toBe(1);
    expect((await shake(port)).name).toBe("one");
    writeFileSync(at("server.crt"), "broken");
    await expect.poll(() => error.mock.calls.length).toBe(2);
    rmSync(at("server.key"));
    symlinkSync("server.key", at("server.key"));
    await expect.poll(() => error.mock.calls.length).toBe(3);
    rmSync(at("server.key"));
    expect((await shake(port)).name).toBe("one");
    put("two", "two");
    await expect.poll(async () => (await shake(port)).name).toBe("two");
  });
});

it.each([
  [
    "a certificate that is none",
    () => writeFileSync(at("server.crt"), "hush"),
    /server\.crt holds no certificate in PEM/,
  ],
  ["a key that is none", () => writeFileSync(at("server.key"), "hush"), /server\.key holds no private key in PEM/],
  ["a key of another certificate", () => put("one", "two"), /server\.key does not belong to .*server\.crt$/],
  ["a file that is missing", () => rmSync(at("server.key")), /TLS file .*server\.key cannot be read: ENOENT$/],
])(
  "F5: %s is refused with one sentence that names the file, and nothing that is in it",
  async (_what, breakIt, said) => {
    breakIt();
    const refused = serve();
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.not.toThrow(/hush|PRIVATE/);
  },
);
