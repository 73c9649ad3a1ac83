import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { type CryptoHooks, loadCryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import type { Environment } from "@/lib/vocabulary/terms";
import { compiled } from "@/test/support/answers";
import { expectedSections, workedExample, workedRequest } from "@/test/support/worked-example";
import { temporaryFolder } from "@/test/support/temporary-folder";

const file = "docs/examples/policy-crypto.mjs";
const folder = temporaryFolder();

type Direction = "request" | "answer";
interface Example extends CryptoHooks {
  readonly seal: (value: unknown, environment: Environment, direction: Direction, now?: number) => string;
  readonly open: (text: unknown, environment: Environment, direction: Direction) => { readonly value: any };
}

async function load(key: string, oldKey?: string): Promise<Example> {
  vi.stubEnv("POLICY_TABLE_KEY_FILE", path.join(folder, key));
  if (oldKey !== undefined) vi.stubEnv("POLICY_TABLE_OLD_KEY_FILE", path.join(folder, oldKey));
  const copy = path.join(process.cwd(), file);
  return (await import(/* @vite-ignore */ `${copy}?${randomBytes(4).toString("hex")}`)) as Example;
}

let policies: Record<Environment, CompiledPolicy>;
let ours: Example;
beforeAll(async () => {
  for (const key of ["one", "two"]) writeFileSync(path.join(folder, key), randomBytes(32));
  policies = {
    production: await compiled(workedExample, "production"),
    staging: await compiled(workedExample, "staging"),
  };
  ours = await load("one");
});
afterEach(() => vi.unstubAllEnvs());

async function send(hooks: CryptoHooks, policy_table: unknown, environment: Environment = "production") {
  const body = Buffer.from(JSON.stringify({ policy_table }));
  const answer = await answerVehicle({ environment, body, acceptsGzip: false, policy: policies[environment], hooks });
  const reason = answer.cause instanceof Error ? answer.cause.message : null;
  return { status: answer.status, reason, json: JSON.parse(Buffer.concat(answer.buffers).toString()) };
}
const request = workedRequest.policy_table;

describe("the example module of the documentation", () => {
  it("R7: decrypts a request and encrypts the answer", async () => {
    vi.stubEnv("POLICY_TABLE_KEY_FILE", path.join(folder, "one"));
    const hooks = await loadCryptoHooks(file, process.cwd());
    const answer = await send(hooks, ours.seal(request, "production", "request"));
    expect(answer.status).toBe(200);
    const [opened] = ours.open(answer.json.data, "production", "answer").value;
    expect(opened.policy_table).toMatchObject(expectedSections.production);
  });

  it.each([
    ["for the other environment", () => ours.seal(request, "staging", "request"), /another environment/],
    ["that is an answer", () => ours.seal(request, "production", "answer"), /direction/],
    ["of an hour ago", () => ours.seal(request, "production", "request", Date.now() - 3_600_000), /too old/],
    ["of the day after", () => ours.seal(request, "production", "request", Date.now() + 86_400_000), /too new/],
    [
      "with another time",
      () => ours.seal(request, "production", "request").replace(/\.\d+\./, `.${Date.now() + 1_000}.`),
      /changed/,
    ],
    ["that was cut", () => ours.seal(request, "production", "request").slice(0, 60), /cut off/],
    ["of another form", () => "bm90IGEgdGFibGU=", /no v1 text/],
    ["that is no text", () => request, /no v1 text/],
  ])("finding B12: refuses a table %s, and the log has the reason", async (_, sealed, reason) => {
    const answer = await send(ours, sealed());
    expect(answer.status).toBe(400);
    expect(answer.json.error).toBe("policy_table cannot be decrypted");
    expect(answer.reason).toMatch(reason);
  });

  it("finding B12: refuses a request that was sent before", async () => {
    const sealed = ours.seal(request, "production", "request");
    expect((await send(ours, sealed)).status).toBe(200);
    expect(await send(ours, sealed)).toMatchObject({ status: 400, reason: "the table was sent before" });
    expect((await send(ours, ours.seal(request, "production", "request"))).status).toBe(200);
  });

  it("finding B12: tells keys by their ids; the one before opens requests while it is named", async () => {
    const sealed = ours.seal(request, "production", "request");
    expect(await send(await load("two"), sealed)).toMatchObject({
      status: 400,
      reason: expect.stringContaining("key"),
    });
    const answer = await send(await load("two", "one"), sealed);
    expect(answer.status).toBe(200);
    expect(() => ours.open(answer.json.data, "production", "answer")).toThrow(/key that is not known/);
  });

  it.each([0, 16, 31, 33, 64])("finding B12: does not load with a key of %i bytes", async (length) => {
    writeFileSync(path.join(folder, "wrong"), randomBytes(length));
    await expect(load("wrong")).rejects.toThrow("POLICY_TABLE_KEY_FILE must name a file of 32 bytes");
  });
});
