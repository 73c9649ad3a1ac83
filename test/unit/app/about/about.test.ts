import { afterAll, describe, expect, it } from "vitest";
import { GET } from "@/app/api/v1/about/route";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { secretVariables } from "@/lib/platform/settings/variables";
import { packageVersion } from "@/lib/platform/version";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();
afterAll(() => certificateWorker().stop());

async function about(headers: Record<string, string> = {}) {
  const { meta, data } = await readAnswer(await GET(aRequest("/api/v1/about", { headers })));
  expect(meta).toMatchObject({ code: 200, message: null });
  return data;
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
