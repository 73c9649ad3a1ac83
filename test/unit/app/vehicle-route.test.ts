import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { vehicleRoute } from "@/app/_api/vehicle-route";
import { accessLog, log } from "@/lib/platform/log";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { installServices } from "@/server/install-services";
import { loadSettings } from "@/lib/platform/settings";
import { shareServices } from "@/lib/policy/services";
import { FakeSource, timeout } from "@/test/support/fake-policy-source";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { workedRequest } from "@/test/support/worked-example";

forgetSettings();
const information = vi.spyOn(accessLog, "info");
const warning = vi.spyOn(log, "warn");
const failure = vi.spyOn(log, "error");

beforeEach(() => {
  for (const spy of [information, warning, failure]) spy.mockReset().mockReturnValue();
});
afterEach(() => {
  shareServices(null);
});

async function serve(hooks: CryptoHooks = {}) {
  const { runtime } = installServices({ settings: loadSettings(), source: new FakeSource(), hooks });
  onTestFinished(() => runtime.stop());
  runtime.start();
  await expect.poll(() => runtime.status().state, timeout).toBe("ready");
}

const { POST } = vehicleRoute("production");
const ask = (body: unknown, headers: Record<string, string> = {}) =>
  POST(aRequest("/api/v1/production/policy", { method: "POST", headers, body }));

describe("N14: LOG_LEVEL holds for answers of the framework", () => {
  const line = (status: number, more: object = {}) => ({
    method: "POST",
    path: "/api/v1/production/policy",
    status,
    ms: expect.any(Number),
    request_id: expect.any(String),
    ...more,
  });

  it("info: each refusal, those of a body that cannot be read included", async () => {
    useSettings();
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await serve();
    const json = JSON.stringify(workedRequest);
    expect((await ask(gzipSync(json), { "Content-Encoding": "gzip" })).status).toBe(200);
    expect((await ask(json, { "Content-Encoding": "gzip" })).status).toBe(400);
    expect((await ask(json, { "Content-Encoding": "zstd" })).status).toBe(415);
    expect((await ask("x".repeat(1_048_577))).status).toBe(413);
    expect(information.mock.calls.map(([written]) => written)).toEqual([line(400), line(415), line(413)]);
  });

  it("debug: each answer is a line with its request id, failures with their cause, of which the vehicle hears nothing", async () => {
    const cause = new Error("wrong key");
    useSettings({ LOG_LEVEL: "debug" });
    await serve();
    const { meta } = await (await ask(workedRequest)).json();
    expect(information.mock.calls).toEqual([[line(200, { request_id: meta.request_id }), "request"]]);
    information.mockClear();
    await serve({ encryptPolicyTable: () => Promise.reject(cause) });
    const response = await ask(workedRequest);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("wrong key");
    expect(failure.mock.calls).toEqual([[line(500, { err: cause }), "request failed"]]);
    await serve({ decryptPolicyTable: () => Promise.reject(cause) });
    expect((await ask(workedRequest)).status).toBe(400);
    expect(warning.mock.calls).toEqual([[line(400, { err: cause }), "a policy table could not be decrypted"]]);
    expect(information).not.toHaveBeenCalled();
  });
});

it("0.9: before there is anything to answer from, a vehicle is told when to ask again", async () => {
  const response = await ask(workedRequest);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
});
