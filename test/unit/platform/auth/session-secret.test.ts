import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { temporaryFolder } from "@/test/support/temporary-folder";

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = path.join(folder, "data");
});
const stored = () => readFileSync(path.join(dataDir, "session-secret"), "utf8").trim();

it("settings.md 5: takes SESSION_SECRET and then writes nothing", () => {
  const sessionSecret = "0123456789abcdef0123456789abcdef";
  expect(loadSessionSecret({ sessionSecret, dataDir })).toBe(sessionSecret);
  expect(readdirSync(folder)).toEqual([]);
});

it("settings.md 5: makes one once and keeps it in DATA_DIR for its own user", () => {
  const secret = loadSessionSecret({ sessionSecret: null, dataDir });
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(stored()).toBe(secret);
  expect(readdirSync(dataDir)).toEqual(["session-secret"]);
  if (process.platform !== "win32") expect(statSync(path.join(dataDir, "session-secret")).mode & 0o777).toBe(0o600);
  expect(loadSessionSecret({ sessionSecret: null, dataDir })).toBe(secret);
});

it("says what to do about a damaged file, without its content", () => {
  execFileSync("mkdir", ["-p", dataDir]);
  writeFileSync(path.join(dataDir, "session-secret"), "half-a-secret");
  expect(() => loadSessionSecret({ sessionSecret: null, dataDir })).toThrow(/session-secret in DATA_DIR is damaged/);
  expect(() => loadSessionSecret({ sessionSecret: null, dataDir })).not.toThrow(/half-a-secret/);
});

it("says that it cannot be written", () => {
  writeFileSync(dataDir, "");
  expect(() => loadSessionSecret({ sessionSecret: null, dataDir })).toThrow(/cannot be read or made/);
});

it("is the same for processes that start at once", async () => {
  const program = `import { loadSessionSecret } from "./lib/platform/secrets/own-secret.ts";
    process.stdout.write(loadSessionSecret({ sessionSecret: null, dataDir: ${JSON.stringify(dataDir)} }));`;
  const secrets = await Promise.all(Array.from({ length: 4 }, () => outputOf(program)));
  expect(new Set(secrets)).toEqual(new Set([stored()]));
  expect(readdirSync(dataDir)).toEqual(["session-secret"]);
});

function outputOf(program: string): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}
