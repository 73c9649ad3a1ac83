import type { RequestListener } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { GET } from "@/app/api/v1/about/route";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { findLatestRelease } from "@/app/(console)/about/update-check";
import { secretVariables } from "@/lib/platform/settings/variables";
import { packageVersion } from "@/lib/platform/version";
import { endStubs, type HttpStub, serveHttp } from "@/test/support/http-stub";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();
afterAll(() => certificateWorker().stop());

async function about(headers: Record<string, string> = {}) {
  return (await readAnswer(await GET(aRequest("/api/v1/about", { headers })))).data;
}

const nothingFound = { refused: 0, stranded: 0, danger: 0, corrected: 0, findings: [] };

describe("2.4", () => {
  it("describes a server without settings", async () => {
    useSettings();
    expect(await about()).toEqual({
      current_version: packageVersion,
      latest_version: packageVersion,
      is_update_available: false,
      update_type: null,
      update_page: null,
      update_check: "off",
      auth_user_header: null,
      ssl_port: null,
      cache_module: null,
      auth_type: null,
      auto_approve_all_apps: false,
      encryption_required: false,
      base_url: "http://localhost:3000",
      webhook_url: "http://localhost:3000/api/v1/webhook",
      notification: { appsPendingReview: { email: { enabled: false, frequency: "DISABLED", to_count: 0 } } },
      certificate_authority: false,
      module_key_public: false,
      app_certificate_get: null,
      database: "embedded",
      policy: { revision: null, served_revision: null, unexpected_database: null },
      directory: { mode: "example", base_url: null, tasks: null, queues: null },
      head_unit_findings: { staging: nothingFound, production: nothingFound },
    });
  });

  it("Δ8: describes a full configuration with the right types", async () => {
    const tls = { SSL_CERTIFICATE_FILENAME: "a.pem", SSL_PRIVATE_KEY_FILENAME: "b.pem" };
    const generation = { CERTIFICATE_PASSPHRASE: "x", CERTIFICATE_COMMON_NAME: "x" };
    useSettings({
      ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", POLICY_SERVER_PORT_SSL: "443", ...tls },
      ...{ SMTP_HOST: "mail.example.com", SMTP_FROM: "a@example.com", NOTIFY_APP_REVIEW_FREQUENCY: "REALTIME" },
      ...{ NOTIFY_APP_REVIEW_EMAILS: "b@example.com,,c@example.com", MONGODB_URI: "mongodb://db/policy" },
      ...{ CA_PRIVATE_KEY_FILENAME: "no-such.key", CA_CERTIFICATE_FILENAME: "no-such.pem", ...generation },
      EXAMPLE_DIRECTORY: "false",
    });
    expect(await about({ "BASIC-AUTH-PASSWORD": "open sesame" })).toMatchObject({
      auth_type: "basic",
      ssl_port: 443,
      base_url: "https://localhost",
      notification: { appsPendingReview: { email: { enabled: true, frequency: "REALTIME", to_count: 2 } } },
      certificate_authority: true,
      is_authority_valid: false,
      module_key_public: true,
      app_certificate_get: "public",
      database: "mongodb",
      directory: { mode: "off", base_url: null, tasks: null, queues: null },
    });
  });

  it("never contains a secret, and wants the password", async () => {
    const secret = "mongodb://hush:hush-hush-hush-hush-hush-hush@db/x";
    const secrets = Object.fromEntries(secretVariables.map((name) => [name, secret]));
    // These have forms of their own.
    secrets.KEY_ENCRYPTION_KEY = `${"hush".repeat(10)}hus=`;
    secrets.OTEL_EXPORTER_OTLP_HEADERS = "authorization=hush";
    secrets.HTTPS_PROXY = secrets.HTTP_PROXY = "http://hush:hush@proxy";
    useSettings({ AUTH_TYPE: "basic", SHAID_PUBLIC_KEY: "p", ...secrets });
    expect(JSON.stringify(await about({ "BASIC-AUTH-PASSWORD": secret }))).not.toContain("hush");
    expect((await GET(aRequest("/api/v1/about"))).status).toBe(401);
  });
});

describe("2.4: update check", () => {
  endStubs();
  let calls: HttpStub["seen"] = [];

  async function serve(listener: RequestListener): Promise<string> {
    const { url, seen } = await serveHttp(() => listener);
    calls = seen;
    return `${url}/`;
  }

  it("says which newer version there is, and asks once an hour", async () => {
    const url = await serve((_, response) => response.end('{"version":"99.0.0"}'));
    useSettings({ UPDATE_CHECK_URL: url });
    const release = { latest_version: "99.0.0", is_update_available: true, update_type: "major" };
    const expected = { ...release, update_page: url, update_check: "done" };
    expect(await about()).toMatchObject(expected);
    expect(await about()).toMatchObject(expected);
    expect(calls).toHaveLength(1);
    await findLatestRelease(url, Date.now() + 3_600_001);
    expect(calls).toHaveLength(2);
  });

  it("offers no older version", async () => {
    useSettings({ UPDATE_CHECK_URL: await serve((_, response) => response.end('{"version":"0.0.1"}')) });
    expect(await about()).toMatchObject({ latest_version: "0.0.1", is_update_available: false, update_type: null });
  });

  const homepage = "https://example.com/";
  it.each([
    ["its url", { url: `${homepage}99`, homepage }, `${homepage}99`],
    ["its homepage", { homepage }, homepage],
    ["the document, where it names no address to link to", { url: "javascript:alert(1)", homepage: 7 }, null],
  ])("leads to %s", async (_, members, page) => {
    const url = await serve((__, response) => response.end(JSON.stringify({ version: "99.0.0", ...members })));
    expect(await findLatestRelease(url)).toEqual({ version: "99.0.0", page: page ?? url });
  });

  it("tells nobody what the setting holds beside host and path", async () => {
    const url = await serve((_, response) => response.end('{"version":"99.0.0"}'));
    const found = await findLatestRelease(`${url}latest?token=hush#hush`);
    expect(found?.page).toBe(`${url}latest`);
  });

  it.each([
    ["no JSON", "<html>"],
    ["no version", "{}"],
    ["no semantic version", '{"version":"newest"}'],
    ["too large an answer", `{"version":"99.0.0","x":"${"x".repeat(70_000)}"}`],
  ])("goes on as if there were no check: %s", async (_, answer) => {
    useSettings({ UPDATE_CHECK_URL: await serve((__, response) => response.end(answer)) });
    const asBefore = { latest_version: packageVersion, is_update_available: false, update_page: null };
    expect(await about()).toMatchObject({ ...asBefore, update_check: "failed" });
  });

  it("goes on without a server, with an error status, and with one that never answers", async () => {
    const refused = await serve((_, response) => response.writeHead(500).end('{"version":"99.0.0"}'));
    expect(await findLatestRelease(refused)).toBeNull();
    expect(await findLatestRelease("http://127.0.0.1:1/")).toBeNull();
    expect(await findLatestRelease(await serve(() => undefined))).toBeNull();
  });
});
