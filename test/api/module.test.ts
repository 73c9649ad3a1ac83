import { beforeEach, describe, expect, it } from "vitest";
import * as moduleRoute from "@/app/api/v1/module/route";
import * as promoteRoute from "@/app/api/v1/module/promote/route";
import { sharedTable } from "@/lib/policy/checks/findings";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { AuditEventModel } from "@/models/audit-event";
import { ModuleConfigModel } from "@/models/module-config";
import { fetchQuery, send } from "@/test/support/applications";
import { compiled } from "@/test/support/answers";
import { useAuthority } from "@/test/support/authority";
import { withEmptyDatabase } from "@/test/support/database";
import { aWireModuleConfig, moduleConfigBody } from "@/test/support/module-config";
import { useSettings } from "@/test/support/settings";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withEmptyDatabase();
beforeEach(() => useSettings());

const { authority, pair } = withTestAuthority();
const { certificate, privateKey } = pair;
const keys = { certificate, private_key: privateKey };
const aBody = (partial: Record<string, unknown> = {}) => ({ ...moduleConfigBody, ...partial });

const get = (query = "") => fetchQuery(moduleRoute.GET, query);
const save = (body: unknown) => send(moduleRoute.POST, body);
const promote = (body?: unknown) => send(promoteRoute.POST, body);
const staging = async () => (await get("?environment=staging")).data.module_configs[0];
const production = async () => (await get()).data.module_configs[0];

describe("GET /module (13.1)", () => {
  it("is empty while nothing is stored", async () => {
    for (const query of ["", "?id=0", "?id=-5"]) {
      expect(await get(query)).toMatchObject({ status: 200, data: { module_configs: [] } });
    }
  });

  it("has every field of 13.2 and no key while generation is off", async () => {
    await save(aBody());
    expect(await staging()).toEqual(aWireModuleConfig({ status: "STAGING" }));
  });

  it("F12: shows addresses of this server under the present base URL, as vehicles get them, in production as well", async () => {
    const settings = { AUTH_TYPE: "none" };
    useSettings({ ...settings, PUBLIC_BASE_URL: "https://old.example.com" });
    const other = {
      "0x04": "https://old.example.com/update",
      queryAppsUrl: "https://old.example.com/api/v1/queryApps",
    };
    await save(aBody({ endpoints: { ...aBody().endpoints, ...other } }));
    expect((await promote()).status).toBe(200);
    useSettings({ ...settings, PUBLIC_BASE_URL: "https://new.example.com" });
    for (const config of [await staging(), await production()]) {
      const queryAppsUrl = "https://new.example.com/api/v1/queryApps";
      expect(config.endpoints).toEqual({ ...aBody().endpoints, ...other, queryAppsUrl });
    }
  });

  it("Q6: a save is stored and told that phones cannot use an address without TLS", async () => {
    const note =
      "Vehicles are given the address http://policy.example:3000. Phones ask by HTTPS on this port, whatever is announced";
    for (const [PUBLIC_BASE_URL, notes] of [
      ["https://policy.example", undefined],
      ["http://127.0.0.1:3000", undefined],
      ["http://policy.example:3000", [note]],
    ] as const) {
      useSettings({ AUTH_TYPE: "none", PUBLIC_BASE_URL });
      const { status, data } = await save(aBody());
      expect([PUBLIC_BASE_URL, status, data.notes]).toEqual([PUBLIC_BASE_URL, 200, notes]);
    }
    expect((await staging()).id).toBe(3);
  });

  it("shows each view's record, and any record by id", async () => {
    await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
    await save(aBody());
    expect((await production()).id).toBe(1);
    expect((await staging()).id).toBe(2);
    expect((await get("?environment=STAGING")).data.module_configs[0].id).toBe(2);
    expect((await get("?environment=nonsense")).data.module_configs[0].id).toBe(1);
    expect((await get("?id=2")).data.module_configs[0].status).toBe("STAGING");
  });
});

describe("POST /module (13.3)", () => {
  it("takes digits as numbers and an empty text as 0", async () => {
    const body = aBody({ exchange_after_x_days: "", timeout_after_x_seconds: "007", seconds_between_retries: ["5"] });
    expect((await save(body)).status).toBe(200);
    expect(await staging()).toMatchObject({
      exchange_after_x_days: 0,
      timeout_after_x_seconds: 7,
      seconds_between_retries: [5],
    });
  });

  it("keeps properties with dots and dollars as data, and makes texts of numbers and booleans", async () => {
    const properties = { "a.b": "1", $set: "2", n: 5, b: true };
    expect((await save(aBody({ endpoint_properties: { "0x04": properties, other: { x: "y" } } }))).status).toBe(200);
    expect((await staging()).endpoint_properties).toMatchObject({
      "0x04": { "a.b": "1", $set: "2", n: "5", b: "true" },
    });
    expect((await staging()).endpoint_properties).not.toHaveProperty("other");
  });

  it("keeps RPC priorities in table order, publishes and serves them; without any there is no member", async () => {
    const table = {
      rpc_priority: { "UI.Slider": 3, "BC.DialNumber": "1" },
      app_priority: { NONE: 5, EMERGENCY: 0 },
      hmi_status_priority: {},
    };
    expect((await save(aBody({ rpc_priority_table: table }))).status).toBe(200);
    const kept = '{"rpc_priority":{"BC.DialNumber":1,"UI.Slider":3},"app_priority":{"EMERGENCY":0,"NONE":5}}';
    expect(JSON.stringify((await staging()).rpc_priority_table)).toBe(kept);
    expect(await production()).toBeUndefined();
    expect((await promote()).status).toBe(200);
    const served = sharedTable(await compiled(await createSnapshotLoader().load(), "production"));
    expect(served).toMatchObject({ rpc_priority_table: JSON.parse(kept) });
    for (const none of [undefined, null, {}, { rpc_priority: {}, app_priority: null }]) {
      await save(aBody({ rpc_priority_table: none }));
      expect(await staging()).not.toHaveProperty("rpc_priority_table");
      expect(await ModuleConfigModel.findOne().sort({ _id: -1 }).lean()).not.toHaveProperty("rpcPriorityTable");
    }
  });

  it("takes anything but true for false in lock_screen_dismissal_enabled", async () => {
    await save(aBody({ lock_screen_dismissal_enabled: "true" }));
    expect((await staging()).lock_screen_dismissal_enabled).toBe(false);
  });

  it("ignores id, status, preloaded_pt, expiration_ts and endpoint 0x07", async () => {
    const endpoints = { ...aBody().endpoints, "0x07": "https://evil.example.com" };
    await save(aBody({ id: 77, status: "PRODUCTION", preloaded_pt: true, expiration_ts: "2001-01-01", endpoints }));
    expect(await staging()).toMatchObject({ id: 1, status: "STAGING", expiration_ts: null });
    expect((await staging()).endpoints).not.toHaveProperty("0x07");
  });
});

describe("the certificate of POST /module (rows 12 to 15)", () => {
  it("is ignored, whatever it is, while generation is off", async () => {
    expect((await save(aBody({ certificate: 5, private_key: "x" }))).status).toBe(200);
    expect(await ModuleConfigModel.findOne().lean()).toMatchObject({ certificate: null, privateKey: null });
  });

  it("is stored with its expiry and shown while generation is on", async () => {
    useAuthority(authority);
    expect((await save(aBody(keys))).status).toBe(200);
    const shown = await staging();
    expect(shown).toMatchObject(keys);
    const end = authority.openssl(["x509", "-noout", "-enddate"], certificate).replace("notAfter=", "").trim();
    expect(shown.expiration_ts).toBe(new Date(end).toISOString());
    useSettings();
    expect(await staging()).not.toHaveProperty("private_key");
    expect(await staging()).not.toHaveProperty("certificate");
  });

  it("keep_certificate takes it over, so that who saves need not hold the key", async () => {
    useAuthority(authority);
    await save(aBody(keys));
    const { expiration_ts } = await staging();
    const other = { keep_certificate: true, timeout_after_x_seconds: 61, certificate: "ignored", private_key: "" };
    expect((await save(aBody(other))).status).toBe(200);
    expect(await staging()).toMatchObject({ timeout_after_x_seconds: 61, ...keys, expiration_ts });
    await save(aBody());
    expect(await staging()).toMatchObject({ certificate: null, private_key: null });
  });

  it.each([{ keep_certificate: true }, { certificate: "", private_key: null }])(
    "is null when there is none, nor one to keep: %j",
    async (members) => {
      useAuthority(authority);
      expect((await save(aBody(members))).status).toBe(200);
      expect(await staging()).toMatchObject({ certificate: null, private_key: null, expiration_ts: null });
    },
  );

  it("follows the order of rows 12 to 15", async () => {
    useAuthority(authority);
    const old = authority.aPair({ days: -1 });
    const sentence = async (sent: unknown, private_key: unknown) => {
      const answer = await save(aBody({ certificate: sent, private_key }));
      expect(answer.status).toBe(400);
      return answer.message;
    };
    expect(await sentence(certificate, undefined)).toBe("certificate and private_key must be given together");
    expect(await sentence("", privateKey)).toBe("certificate and private_key must be given together");
    expect(await sentence("nonsense", privateKey)).toContain("could not be processed");
    expect(await sentence(certificate, "nonsense")).toContain("could not be processed");
    expect(await sentence(5, { $set: 1 })).toContain("could not be processed");
    expect(await sentence(`${certificate}\u0000`, privateKey)).toContain("could not be processed");
    // Expired and mismatching: the expiry is named first.
    expect(await sentence(old.certificate, privateKey)).toBe("The certificate has expired");
    expect(await sentence(certificate, old.privateKey)).toBe("The private key and certificate do not match");
    expect(await ModuleConfigModel.countDocuments()).toBe(0);
  });

  it("never reaches a conflict's data or an audit event", async () => {
    useAuthority(authority);
    await save(aBody(keys));
    const answer = await save(aBody({ ...keys, base_id: 99 }));
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer)).not.toContain("-----BEGIN");
    expect(JSON.stringify(await AuditEventModel.find().lean())).not.toContain("-----BEGIN");
  });
});

describe("POST /module/promote (13.4)", () => {
  it("ignores a body, a config in it included", async () => {
    await save(aBody({ exchange_after_x_days: 9 }));
    expect((await promote({ ...aBody({ exchange_after_x_days: 99 }), id: "x", force: "perhaps" })).status).toBe(200);
    expect(await production()).toMatchObject({ exchange_after_x_days: 9 });
  });

  it("copies certificate, key and expiry", async () => {
    useAuthority(authority);
    await save(aBody(keys));
    await promote();
    const published = await production();
    expect(published).toMatchObject(keys);
    expect(published.expiration_ts).toBe((await get("?id=1")).data.module_configs[0].expiration_ts);
  });

  it("refuses an expired certificate", async () => {
    await store((tx) => storeModuleConfig(tx, "STAGING", { expirationTs: new Date(Date.now() - 1000) }));
    expect(await promote()).toMatchObject({ status: 400, message: "The certificate has expired" });
    expect(await ModuleConfigModel.countDocuments()).toBe(1);
  });

  it("wants force for what head units would refuse, and only for that", async () => {
    for (const flag of ["isDefault", "isDevice", "isPreDataConsent"]) {
      await store((tx) => storeGroup(tx, { name: flag, status: "PRODUCTION", [flag]: true }));
    }
    await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
    await store((tx) => storeModuleConfig(tx, "STAGING", { secondsBetweenRetries: [0] }));
    const refused = await promote();
    expect(refused.status).toBe(409);
    expect(refused.data.findings).toMatchObject([
      { severity: "refused", path: "module_config.seconds_between_retries[0]" },
    ]);
    expect((await production()).id).toBe(1);
    expect((await promote({ force: true })).status).toBe(200);
    expect((await production()).id).toBe(3);
    // What is refused already does not keep anybody from promoting something else.
    await store((tx) => storeModuleConfig(tx, "STAGING", { secondsBetweenRetries: [0], exchangeAfterXDays: 1 }));
    expect((await promote()).status).toBe(200);
  });
});
