import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { answerVehicle } from "@/lib/policy/answer-vehicle";
import { loadCryptoHooks } from "@/lib/policy/crypto-hooks";
import { compiled } from "@/test/support/answers";
import { expectedSections, workedExample, workedRequest } from "@/test/support/worked-example";

it("R7: the example module of the documentation decrypts a request and encrypts the answer", async () => {
  const keyFile = path.join(mkdtempSync(path.join(tmpdir(), "policy-crypto-")), "key");
  writeFileSync(keyFile, randomBytes(32));
  process.env["POLICY_TABLE_KEY_FILE"] = keyFile;
  const hooks = await loadCryptoHooks("docs/examples/policy-crypto.mjs", process.cwd());
  const policy = await compiled(workedExample, "production");
  const send = async (policy_table: unknown) =>
    answerVehicle({
      environment: "production",
      body: Buffer.from(JSON.stringify({ policy_table })),
      acceptsGzip: false,
      policy,
      hooks,
    });

  const sealed = await hooks.encryptPolicyTable?.(workedRequest.policy_table, "production");
  const answer = await send(sealed);
  expect(answer.status).toBe(200);
  const { data } = JSON.parse(Buffer.concat(answer.buffers).toString());
  expect(typeof data).toBe("string");
  const [opened] = (await hooks.decryptPolicyTable?.(data, "production")) as [{ policy_table: object }];
  expect(opened.policy_table).toMatchObject(expectedSections.production);

  const refused = await send("bm90IGEgdGFibGU=");
  expect(refused.status).toBe(400);
  expect(JSON.parse(Buffer.concat(refused.buffers).toString()).error).toBe("policy_table cannot be decrypted");
});
