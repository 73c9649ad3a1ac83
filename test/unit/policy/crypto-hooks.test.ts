import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { answerVehicle, type VehicleAnswer } from "@/lib/policy/answer/answer-vehicle";
import { loadCryptoHooks, type CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { environments, type Environment } from "@/lib/vocabulary/terms";
import { answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import { aCatalogue, anApp, aSnapshot } from "@/test/support/builders";
import { temporaryFolder } from "@/test/support/temporary-folder";

const snapshot = aSnapshot({ apps: aCatalogue([anApp()]) });
const table = shortenedTable({ "11111111aa": { auth_token: "t" } });

interface Asked {
  readonly environment?: Environment;
  readonly body?: unknown;
  readonly acceptsGzip?: boolean;
}

async function answered(
  hooks: CryptoHooks,
  { environment = "production", body = { policy_table: table }, acceptsGzip = false }: Asked = {},
): Promise<VehicleAnswer & { readonly json: any }> {
  const policy = await compiled(snapshot, environment);
  const bytes = Buffer.from(JSON.stringify(body));
  const answer = await answerVehicle({ environment, body: bytes, acceptsGzip, policy, hooks });
  const sent = Buffer.concat(answer.buffers);
  expect(sent.length).toBe(answer.length);
  return { ...answer, json: JSON.parse((answer.isGzip ? gunzipSync(sent) : sent).toString()) };
}

const plainData = async (environment: Environment = "production") =>
  JSON.parse(answerText(await compiled(snapshot, environment), table)).data;

describe("R7: decryption", () => {
  it.each(environments)("R7: gets the value of policy_table and the environment (%s)", async (environment) => {
    const calls: unknown[][] = [];
    const decryptPolicyTable = (...values: unknown[]) => {
      calls.push(values);
      return table;
    };
    for (const policy_table of ["ciphertext", null, undefined, [1], { iv: "x" }]) {
      const answer = await answered({ decryptPolicyTable }, { environment, body: { policy_table } });
      expect(answer.status).toBe(200);
      expect(answer.json.data).toEqual(await plainData(environment));
      expect(calls.pop()).toEqual([policy_table, environment]);
    }
  });

  it("R7: R1 runs on the result, not on what was sent", async () => {
    const { device_data: _, ...incomplete } = table;
    const answer = await answered({ decryptPolicyTable: () => incomplete });
    expect([answer.status, answer.json.error]).toEqual([400, "policy_table.device_data is missing"]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("wrong key 4711");
      },
    ],
    ["rejects", () => Promise.reject(new Error("wrong key 4711"))],
  ])("R7: a hook that %s gives 400 without its words", async (_, decryptPolicyTable) => {
    const answer = await answered({ decryptPolicyTable });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: "policy_table cannot be decrypted", meta: { code: 400 }, data: {} });
    expect(JSON.stringify(answer.json)).not.toContain("4711");
    expect(answer.cause).toEqual(new Error("wrong key 4711"));
  });
});

describe("R7: encryption", () => {
  it.each(environments)("R7: gets the data array and the environment; meta stays (%s)", async (environment) => {
    const calls: unknown[][] = [];
    const encryptPolicyTable = (...values: unknown[]) => {
      calls.push(values);
      return ["ciphertext"];
    };
    for (const acceptsGzip of [false, true]) {
      const answer = await answered({ encryptPolicyTable }, { environment, acceptsGzip });
      expect(answer.status).toBe(200);
      expect(answer.isGzip).toBe(acceptsGzip);
      expect(Object.keys(answer.json)).toEqual(["meta", "data"]);
      expect(answer.json).toEqual({
        meta: { request_id: answer.requestId, code: 200, message: null },
        data: ["ciphertext"],
      });
      expect(calls.pop()).toEqual([await plainData(environment), environment]);
    }
  });

  it("R7: may be asynchronous, and runs together with decryption", async () => {
    const hooks = {
      decryptPolicyTable: (value: unknown) => Promise.resolve(value === "cipher" ? table : null),
      encryptPolicyTable: (data: unknown) => Promise.resolve([JSON.stringify(data).length]),
    };
    const { json } = await answered(hooks, { body: { policy_table: "cipher" } });
    expect(json.data).toEqual([JSON.stringify(await plainData()).length]);
  });

  it("R7: a failing hook gives 500 without its words", async () => {
    const answer = await answered({ encryptPolicyTable: () => Promise.reject(new Error("key 4711")) });
    expect([answer.status, answer.json.error]).toEqual([500, "Internal server error"]);
    expect(answer.cause).toEqual(new Error("key 4711"));
  });

  it("R7: an error answer is not encrypted", async () => {
    const answer = await answered({ encryptPolicyTable: () => "cipher" }, { body: {} });
    expect(answer.json).toMatchObject({ error: "policy_table is missing", data: {} });
  });
});

it("N16: what a hook made is compressed, for it is new from its first byte on", async () => {
  const encryptPolicyTable = () => ["0123456789abcdef".repeat(8_000)];
  const [plain, gzip] = [
    await answered({ encryptPolicyTable }),
    await answered({ encryptPolicyTable }, { acceptsGzip: true }),
  ];
  expect(gzip.json.data).toEqual(plain.json.data);
  expect(gzip.length).toBeLessThan(plain.length / 50);
});

it("answers at once, without a promise, when no hook is set", async () => {
  const policy = await compiled(snapshot, "production");
  const body = Buffer.from(JSON.stringify({ policy_table: table }));
  const answer = answerVehicle({ environment: "production", body, acceptsGzip: false, policy, hooks: {} });
  expect(answer).not.toBeInstanceOf(Promise);
  const { requestId: id, buffers } = await answer;
  expect(Buffer.concat(buffers).toString()).toBe(answerText(policy, table).replace(requestId, id));
});

describe("loading the hooks (POLICY_CRYPTO_MODULE)", () => {
  async function project(text: string, name = "hooks.mjs"): Promise<{ root: string; file: string }> {
    const root = temporaryFolder();
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return { root, file };
  }
  const both =
    "export const decryptPolicyTable = (value, environment) => ({ value, environment });\n" +
    "export async function encryptPolicyTable(data) { return [data.length]; }\n";

  it("R7: there are none without a module", async () => expect(await loadCryptoHooks(null, "/")).toEqual({}));

  it.each(["hooks.mjs", "site/..hooks.mjs", "..hooks.mjs"])("R7: loads both functions of %s", async (name) => {
    const { root } = await project(both, name);
    const hooks = await loadCryptoHooks(name, root);
    expect(hooks.decryptPolicyTable?.(1, "staging")).toEqual({ value: 1, environment: "staging" });
    expect(await hooks.encryptPolicyTable?.([1, 2], "staging")).toEqual([2]);
  });

  it("R7: takes an absolute path inside the project", async () => {
    const { root, file } = await project(both);
    expect(Object.keys(await loadCryptoHooks(file, root))).toHaveLength(2);
  });

  it.each([
    ["decryptPolicyTable", "export const encryptPolicyTable = () => null;"],
    ["encryptPolicyTable", "export const decryptPolicyTable = () => null; export const encryptPolicyTable = 5;"],
  ])("R7: refuses a module without the function %s", async (name, text) => {
    const { root } = await project(text);
    await expect(loadCryptoHooks("hooks.mjs", root)).rejects.toThrow(
      `POLICY_CRYPTO_MODULE must export the function ${name}`,
    );
  });

  it("R7: refuses a module outside the project", async () => {
    const { root } = await project(both);
    const inner = path.join(root, "inner");
    for (const file of ["../hooks.mjs", path.join(root, "hooks.mjs"), ".."]) {
      await expect(loadCryptoHooks(file, inner)).rejects.toThrow("POLICY_CRYPTO_MODULE must lie inside the project");
    }
  });

  it.each(["missing.mjs", "."])("R7: refuses %s, which is no module", async (file) => {
    const { root } = await project(both);
    await expect(loadCryptoHooks(file, root)).rejects.toThrow("POLICY_CRYPTO_MODULE cannot be loaded");
  });

  it("R7: refuses a module that does not run", async () => {
    const { root } = await project("export const = ;");
    await expect(loadCryptoHooks("hooks.mjs", root)).rejects.toThrow("POLICY_CRYPTO_MODULE cannot be loaded");
  });
});
