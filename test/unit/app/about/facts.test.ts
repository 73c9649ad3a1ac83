import { describe, expect, it } from "vitest";
import { listConfiguration } from "@/app/(console)/about/facts";

const email = { enabled: false, frequency: "DISABLED" as const, to_count: 0 };
const about = {
  ssl_port: null,
  auth_type: null,
  auth_user_header: null,
  auto_approve_all_apps: false,
  encryption_required: false,
  notification: { appsPendingReview: { email } },
  certificate_authority: false,
  module_key_public: false,
  app_certificate_get: null,
  database: "embedded" as const,
};
const factOf = (name: string, changes: object = {}, missing: readonly string[] = []) =>
  listConfiguration({ ...about, ...changes }, missing).find((fact) => fact.name === name);
const mail = (changes: object) => ({ notification: { appsPendingReview: { email: { ...email, ...changes } } } });

describe("the configuration in words", () => {
  it.each([
    ["Password", {}, "attention"],
    ["Password", { auth_type: "basic" }, "ok"],
    ["Password", { auth_type: "oidc" }, "ok"],
    ["Names of users", {}, "off"],
    ["Names of users", { auth_user_header: "remote-user" }, "ok"],
    ["TLS", {}, "attention"],
    ["TLS", { ssl_port: 443 }, "ok"],
    ["Database", {}, "attention"],
    ["Database", { database: "mongodb" }, "ok"],
    ["Caching", {}, "off"],
    ["Automatic approval", {}, "off"],
    ["Automatic approval", { auto_approve_all_apps: true }, "attention"],
    ["RPC encryption", {}, "off"],
    ["RPC encryption", { encryption_required: true }, "ok"],
    ["Certificates", {}, "off"],
    ["Certificates", { certificate_authority: true, is_authority_valid: true }, "ok"],
    ["Certificates", { certificate_authority: true, is_authority_valid: false }, "attention"],
    ["Head unit private key", {}, undefined],
    ["Head unit private key", { app_certificate_get: "public", module_key_public: true }, "attention"],
    ["Head unit private key", { app_certificate_get: "public" }, "ok"],
    ["Containers of apps", { app_certificate_get: "public" }, "attention"],
    ["Containers of apps", { app_certificate_get: "admin" }, "ok"],
    ["Containers of apps", { app_certificate_get: "off" }, "ok"],
    ["E-mail about pending apps", {}, "off"],
    ["E-mail about pending apps", mail({ enabled: true, frequency: "REALTIME", to_count: 2 }), "ok"],
    ["E-mail about pending apps", mail({ frequency: "REALTIME" }), "attention"],
  ])("%s with %j is %s", (name, changes, state) => expect(factOf(name, changes)?.state).toBe(state));

  it("names the settings that are missing, and every line its own", () => {
    expect(factOf("Certificates", {}, ["CA_PRIVATE_KEY_FILENAME"])?.why).toContain("CA_PRIVATE_KEY_FILENAME");
    for (const { setting, why } of listConfiguration(about, [])) {
      expect(setting).toMatch(/^[A-Z_]+$/);
      expect(why).not.toBe("");
    }
  });

  it.each([
    [{ enabled: true, frequency: "REALTIME", to_count: 1 }, "As apps arrive (REALTIME), to 1 recipient"],
    [{ enabled: true, frequency: "REALTIME", to_count: 2 }, "As apps arrive (REALTIME), to 2 recipients"],
    [{ frequency: "REALTIME" }, "Not sent, though switched on (REALTIME)"],
    [{}, "Never (DISABLED)"],
  ])("2.11: says how often e-mail is sent: %j", (changes, value) => {
    expect(factOf("E-mail about pending apps", mail(changes))?.value).toBe(value);
  });

  it.each([
    ["Caching", {}, "No module"],
    ["RPC encryption", { encryption_required: true }, "Required for automatically approved apps"],
    ["Names of users", { auth_user_header: "remote-user" }, "Verified, from remote-user"],
  ])("2.11: %s with %j in words", (name, changes, value) => expect(factOf(name, changes)?.value).toBe(value));
});
