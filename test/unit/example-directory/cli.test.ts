import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { parseCliOptions } from "@/bench/example-directory/cli-options";

it("reads its arguments", () => {
  const args = ["--apps", "10000", "--port=4001", "--public-key", "p", "--secret-key", "s", "--change-every", "30"];
  expect(parseCliOptions([...args, "--webhook-url", "http://127.0.0.1:3000/api/v1/webhook", "--seed", "5"])).toEqual({
    help: false,
    apps: 10_000,
    seed: 5,
    port: 4001,
    "public-key": "p",
    "secret-key": "s",
    "webhook-url": "http://127.0.0.1:3000/api/v1/webhook",
    "change-every": 30,
  });
  expect(parseCliOptions([])).toMatchObject({ help: false, port: 4000 });
  expect(parseCliOptions(["--help"]).help).toBe(true);
});

it.each([
  [["--apps", "0"], "--apps must be a number from 1 to 1000000"],
  [["--apps", "many"], "--apps must be a number from 1 to 1000000"],
  [["--port", "65536"], "--port must be a number from 0 to 65535"],
  [["--change-every", "0.5"], "--change-every must be a number from 1 to 86400"],
  [["--webhook-url", "ftp://127.0.0.1/"], "--webhook-url must be an http or https address"],
  [["--public-key", ""], "--public-key must be printable ASCII without blanks"],
  [["--secret-key", "two words"], "--secret-key must be printable ASCII without blanks"],
  [["--application", "5"], "Unknown option '--application'"],
  [["5"], "Unexpected argument '5'"],
  [["--apps"], "Option '--apps <value>' argument missing"],
])("says in one sentence what is wrong with %j", (args, sentence) => {
  expect(() => parseCliOptions(args)).toThrow(new Error(sentence));
});

const program = (...args: string[]) =>
  spawn(process.execPath, ["--import", "tsx", "bench/example-directory/main.ts", ...args]);

it("runs as a process: prints settings, serves, changes apps, ends when told to", async () => {
  const child = program("--apps", "25", "--port", "0", "--secret-key", "my-secret", "--change-every", "1");
  const ended = once(child, "exit");
  const settings: Record<string, string> = {};
  for await (const line of createInterface(child.stdout)) {
    const [name = "", value = ""] = line.split(/=(.*)/s);
    settings[name] = value;
    if (name === "RPC_SPEC_URL") break;
  }
  expect(Object.keys(settings)).toEqual(["SHAID_URL", "SHAID_PUBLIC_KEY", "SHAID_SECRET_KEY", "RPC_SPEC_URL"]);
  expect(settings["SHAID_SECRET_KEY"]).toBe("my-secret");
  const specification = await fetch(settings["RPC_SPEC_URL"]!);
  expect(specification.status).toBe(200);
  // A connection whose answer nobody reads does not notice that the process is gone.
  await specification.arrayBuffer();
  const response = await fetch(`${settings["SHAID_URL"]}/api/v2/application?limit=1000`, {
    headers: { public_key: settings["SHAID_PUBLIC_KEY"]!, secret_key: settings["SHAID_SECRET_KEY"]! },
  });
  expect((await response.json()).data.applications.length).toBeGreaterThanOrEqual(24);

  for await (const line of createInterface(child.stderr)) if (line.includes(": now ")) break;
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("ends with one sentence when it cannot run", async () => {
  const child = program("--port", "99999");
  let text = "";
  child.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(text).toBe("--port must be a number from 0 to 65535\n");
});
