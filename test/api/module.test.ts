import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as moduleRoute from "@/app/api/v1/module/route";
import * as promoteRoute from "@/app/api/v1/module/promote/route";
import * as promoteNoIdRoute from "@/app/api/v1/module/promoteNoId/route";
import { readRevision } from "@/lib/platform/db/revision";
import { AuditEventModel } from "@/models/audit-event";
import { ModuleConfigModel } from "@/models/module-config";
import { runs } from "@/test/support/extent";
import { createTestAuthority, useAuthority, type TestAuthority } from "@/test/support/authority";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { moduleConfigBody } from "@/test/support/module-config";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

/** Requests at once. */
const many = runs(100, 20);

withDatabase();
forgetSettings();
beforeEach(() => useSettings());
afterEach(emptyDatabase);

let authority: TestAuthority;
beforeAll(() => {
  authority = createTestAuthority();
});
afterAll(() => authority.remove());

const { notifications_per_minute_by_priority: perPriority } = moduleConfigBody;
const aBody = (partial: Record<string, unknown> = {}) => ({ ...moduleConfigBody, ...partial });

async function get(query = "") {
  const response = await moduleRoute.GET(aRequest(`/api/v1/module${query}`));
  return { status: response.status, ...(await readAnswer(response)) };
}
async function save(body: unknown) {
  const response = await moduleRoute.POST(aRequest("/api/v1/module", { body }));
  return { status: response.status, ...(await readAnswer(response)) };
}
async function promote(body?: unknown, route = promoteRoute) {
  const response = await route.POST(aRequest("/api/v1/module/promote", { method: "POST", body }));
  return { status: response.status, ...(await readAnswer(response)) };
}
const staging = async () => (await get("?environment=staging")).data.module_configs[0];
const production = async () => (await get()).data.module_configs[0];

describe("GET /module (13.1)", () => {
  it("is empty while nothing is stored", async () => {
    expect(await get()).toMatchObject({ status: 200, data: { module_configs: [] } });
    expect(await get("?id=0")).toMatchObject({ status: 200, data: { module_configs: [] } });
    expect(await get("?id=-5")).toMatchObject({ status: 200, data: { module_configs: [] } });
  });

  it("has every field of 13.2 and no key while generation is off", async () => {
    await save(aBody());
    expect(await staging()).toEqual({
      ...aBody(),
      id: 1,
      status: "STAGING",
      endpoint_properties: {
        "0x04": {},
        queryAppsUrl: {},
        lock_screen_icon_url: {},
        custom_vehicle_data_mapping_url: { version: "0.1.2" },
      },
      expiration_ts: null,
    });
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

  it.each(["x", "1.5", "", "99999999999999999999", "1e3"])("refuses the id %j", async (id) => {
    expect(await get(`?id=${id}`)).toMatchObject({ status: 400, meta: { message: "id must be an integer" } });
  });
});

describe("POST /module (13.3)", () => {
  it("stores a STAGING record, raises the revision and writes an audit event", async () => {
    const before = await readRevision();
    expect(await save(aBody())).toMatchObject({ status: 200, data: {} });
    expect(await readRevision()).toBe(before + 1);
    expect(await AuditEventModel.find().lean()).toMatchObject([
      { action: "module.save", target: "module_config", before: null, after: 1, actor: "admin" },
    ]);
  });

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

  it("takes anything but true for false in lock_screen_dismissal_enabled", async () => {
    await save(aBody({ lock_screen_dismissal_enabled: "true" }));
    expect((await staging()).lock_screen_dismissal_enabled).toBe(false);
  });

  const wrong: readonly (readonly [string, Record<string, unknown>, string])[] = [
    [
      "1",
      { exchange_after_x_ignition_cycles: 256 },
      "exchange_after_x_ignition_cycles must be an integer from 0 to 255",
    ],
    ["2", { exchange_after_x_kilometers: -1 }, "exchange_after_x_kilometers must be an integer from 0 to 2147483647"],
    ["3", { exchange_after_x_days: null }, "exchange_after_x_days must be an integer from 0 to 255"],
    ["4", { timeout_after_x_seconds: 65536 }, "timeout_after_x_seconds must be an integer from 0 to 65535"],
    ["5", { seconds_between_retries: "1" }, "seconds_between_retries must be a list"],
    ["6", { seconds_between_retries: [1, 0] }, "seconds_between_retries[1] must be an integer from 1 to 1000"],
    ["6", { seconds_between_retries: [1, 1, 1, 1, 1, 1] }, "seconds_between_retries holds more than 5 values"],
    ["7", { endpoints: null }, "endpoints is missing"],
    ["7", { endpoints: {} }, "endpoints.0x04 must be a string of 10 to 255 bytes"],
    [
      "7",
      { endpoints: { "0x04": "x".repeat(10), queryAppsUrl: "short" } },
      "endpoints.queryAppsUrl must be a string of 10 to 255 bytes",
    ],
    [
      "7",
      { endpoints: { "0x04": "x".repeat(10), queryAppsUrl: "x".repeat(255), lock_screen_icon_url: "é".repeat(128) } },
      "endpoints.lock_screen_icon_url must be a string of 10 to 255 bytes",
    ],
    [
      "7",
      { endpoints: { ...aBody().endpoints, custom_vehicle_data_mapping_url: 5 } },
      "endpoints.custom_vehicle_data_mapping_url must be a string of 10 to 255 bytes",
    ],
    [
      "7",
      { endpoints: { ...aBody().endpoints, "0x04": "https://a.example/\u0000" } },
      "endpoints.0x04 must not hold line breaks, control characters or half surrogate pairs",
    ],
    ["8", { notifications_per_minute_by_priority: [] }, "notifications_per_minute_by_priority is missing"],
    [
      "9",
      { notifications_per_minute_by_priority: { ...perPriority, VOICECOM: 1.5 } },
      "notifications_per_minute_by_priority.VOICECOM must be an integer from 0 to 255",
    ],
    [
      "9",
      { notifications_per_minute_by_priority: {} },
      "notifications_per_minute_by_priority.EMERGENCY must be an integer from 0 to 255",
    ],
    [
      "10",
      { subtle_notifications_per_minute_by_priority: undefined },
      "subtle_notifications_per_minute_by_priority is missing",
    ],
    [
      "11",
      { subtle_notifications_per_minute_by_priority: { ...perPriority, NONE: true } },
      "subtle_notifications_per_minute_by_priority.NONE must be an integer from 0 to 255",
    ],
  ];
  it.each(wrong)("row %s: refuses %j", async (_row, partial, message) => {
    expect(await save(aBody(partial))).toMatchObject({ status: 400, meta: { message }, data: {} });
    expect(await ModuleConfigModel.countDocuments()).toBe(0);
  });

  it("reports the first failure in the order of the table", async () => {
    const all: Record<string, unknown> = {};
    const messages = [];
    // Every row is wrong at first; row after row is put right.
    for (const [name, value] of Object.entries(aBody())) {
      if (name === "endpoint_properties" || name === "lock_screen_dismissal_enabled") continue;
      messages.push((await save(all)).meta.message);
      all[name] = value;
    }
    expect(messages.map((message) => String(message).split(" ")[0])).toEqual([
      "exchange_after_x_ignition_cycles",
      "exchange_after_x_kilometers",
      "exchange_after_x_days",
      "timeout_after_x_seconds",
      "seconds_between_retries",
      "endpoints",
      "notifications_per_minute_by_priority",
      "subtle_notifications_per_minute_by_priority",
    ]);
  });

  it.each([
    { $gt: 0 },
    { "a.b": 1 },
    [],
    true,
    1e308,
    "9".repeat(500),
    "\u0000",
    "\ud800",
    "1e3",
    " 1",
    1.5,
    -1,
    Number.MAX_SAFE_INTEGER,
  ])("refuses %j as a number without failing", async (value) => {
    expect((await save(aBody({ exchange_after_x_days: value }))).status).toBe(400);
  });

  it.each([
    { endpoint_properties: [] },
    { endpoint_properties: { "0x04": "x" } },
    { endpoint_properties: { "0x04": { a: null } } },
    { endpoint_properties: { "0x04": { a: { $set: 1 } } } },
    { endpoint_properties: { "0x04": { "": "x" } } },
    { endpoint_properties: { "0x04": { "a\u0000b": "x" } } },
    { endpoint_properties: { "0x04": { a: "\ud800" } } },
    { base_id: "x" },
  ])("refuses %j", async (partial) => {
    expect((await save(aBody(partial))).status).toBe(400);
    expect(await ModuleConfigModel.countDocuments()).toBe(0);
  });

  it("ignores id, status, preloaded_pt, expiration_ts and endpoint 0x07", async () => {
    const endpoints = { ...aBody().endpoints, "0x07": "https://evil.example.com" };
    await save(aBody({ id: 77, status: "PRODUCTION", preloaded_pt: true, expiration_ts: "2001-01-01", endpoints }));
    expect(await staging()).toMatchObject({ id: 1, status: "STAGING", expiration_ts: null });
    expect((await staging()).endpoints).not.toHaveProperty("0x07");
  });

  it("loses none of many saves at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: many }, (_, days) => save(aBody({ exchange_after_x_days: days }))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const stored = await ModuleConfigModel.find().lean();
    expect(new Set(stored.map((one) => one.exchangeAfterXDays)).size).toBe(many);
    expect(new Set(stored.map((one) => one._id)).size).toBe(many);
  });
});

describe("base_id of POST /module", () => {
  it("saves when it is the newest record", async () => {
    expect((await save(aBody({ base_id: 0 }))).status).toBe(200);
    expect((await save(aBody({ base_id: 1 }))).status).toBe(200);
    expect((await save(aBody({ base_id: "2" }))).status).toBe(200);
  });

  it("answers 409 with both sides when another one was saved meanwhile", async () => {
    await save(aBody());
    await save(aBody({ exchange_after_x_days: 7 }));
    const answer = await save(aBody({ base_id: 1, exchange_after_x_days: 8 }));
    expect(answer).toMatchObject({
      status: 409,
      data: { current: { id: 2, exchange_after_x_days: 7 }, submitted: { id: null, exchange_after_x_days: 8 } },
    });
    expect(await ModuleConfigModel.countDocuments()).toBe(2);
  });

  it("lets only one of many editors of the same record through", async () => {
    await save(aBody());
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(aBody({ base_id: 1 }))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe("the certificate of POST /module (rows 12 to 15)", () => {
  it("is ignored, whatever it is, while generation is off", async () => {
    expect((await save(aBody({ certificate: 5, private_key: "x" }))).status).toBe(200);
    expect(await ModuleConfigModel.findOne().lean()).toMatchObject({ certificate: null, privateKey: null });
  });

  it("is stored with its expiry and shown while generation is on", async () => {
    useAuthority(authority);
    const { certificate, privateKey } = authority.aPair();
    expect((await save(aBody({ certificate, private_key: privateKey }))).status).toBe(200);
    const shown = await staging();
    expect(shown).toMatchObject({ certificate, private_key: privateKey });
    const end = authority.openssl(["x509", "-noout", "-enddate"], certificate).replace("notAfter=", "").trim();
    expect(shown.expiration_ts).toBe(new Date(end).toISOString());
    useSettings();
    expect(await staging()).not.toHaveProperty("private_key");
    expect(await staging()).not.toHaveProperty("certificate");
  });

  it("keep_certificate takes it over, so that who saves need not hold the key", async () => {
    useAuthority(authority);
    const { certificate, privateKey } = authority.aPair();
    await save(aBody({ certificate, private_key: privateKey }));
    const { expiration_ts } = await staging();
    const other = { keep_certificate: true, timeout_after_x_seconds: 61, certificate: "ignored", private_key: "" };
    expect((await save(aBody(other))).status).toBe(200);
    expect(await staging()).toMatchObject({
      timeout_after_x_seconds: 61,
      certificate,
      private_key: privateKey,
      expiration_ts,
    });
    await save(aBody());
    expect(await staging()).toMatchObject({ certificate: null, private_key: null });
  });

  it("keep_certificate finds nothing to keep in an empty database", async () => {
    useAuthority(authority);
    expect((await save(aBody({ keep_certificate: true }))).status).toBe(200);
    expect(await staging()).toMatchObject({ certificate: null, private_key: null, expiration_ts: null });
  });

  it("is shown as null when there is none", async () => {
    useAuthority(authority);
    await save(aBody({ certificate: "", private_key: null }));
    expect(await staging()).toMatchObject({ certificate: null, private_key: null, expiration_ts: null });
  });

  it("follows the order of rows 12 to 15", async () => {
    useAuthority(authority);
    const good = authority.aPair();
    const old = authority.aPair({ days: -1 });
    const sentence = async (certificate: unknown, private_key: unknown) => {
      const answer = await save(aBody({ certificate, private_key }));
      expect(answer.status).toBe(400);
      return answer.meta.message;
    };
    expect(await sentence(good.certificate, undefined)).toBe("certificate and private_key must be given together");
    expect(await sentence("", good.privateKey)).toBe("certificate and private_key must be given together");
    expect(await sentence("nonsense", good.privateKey)).toContain("could not be processed");
    expect(await sentence(good.certificate, "nonsense")).toContain("could not be processed");
    expect(await sentence(5, { $set: 1 })).toContain("could not be processed");
    expect(await sentence(`${good.certificate}\u0000`, good.privateKey)).toContain("could not be processed");
    // Expired and mismatching: the expiry is named first.
    expect(await sentence(old.certificate, good.privateKey)).toBe("The certificate has expired");
    expect(await sentence(good.certificate, old.privateKey)).toBe("The private key and certificate do not match");
    expect(await ModuleConfigModel.countDocuments()).toBe(0);
  });

  it("never reaches a conflict's data or an audit event", async () => {
    useAuthority(authority);
    const { certificate, privateKey } = authority.aPair();
    const body = aBody({ certificate, private_key: privateKey });
    await save(body);
    const answer = await save({ ...body, base_id: 99 });
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer)).not.toContain("-----BEGIN");
    expect(JSON.stringify(await AuditEventModel.find().lean())).not.toContain("-----BEGIN");
  });
});

describe("POST /module/promote (13.4)", () => {
  it.each([
    ["promote", promoteRoute],
    ["promoteNoId", promoteNoIdRoute],
  ])("%s publishes a copy and needs no body", async (_name, route) => {
    await save(aBody({ exchange_after_x_days: 9 }));
    expect(await promote(undefined, route)).toMatchObject({ status: 200, data: {} });
    const [saved, published] = [(await get("?id=1")).data.module_configs[0], await production()];
    expect(published).toEqual({ ...saved, id: 2, status: "PRODUCTION" });
    expect((await staging()).id).toBe(2);
    expect(await AuditEventModel.findOne({ action: "module.promote" }).lean()).toMatchObject({ before: 1, after: 2 });
  });

  it("ignores a body, a config in it included", async () => {
    await save(aBody({ exchange_after_x_days: 9 }));
    expect((await promote({ ...aBody({ exchange_after_x_days: 99 }), id: "x", force: "perhaps" })).status).toBe(200);
    expect(await production()).toMatchObject({ exchange_after_x_days: 9 });
  });

  it("adds nothing when the newest record is published, or there is none", async () => {
    expect((await promote()).status).toBe(200);
    await save(aBody());
    await promote();
    const before = await readRevision();
    expect((await promote()).status).toBe(200);
    expect(await ModuleConfigModel.countDocuments()).toBe(2);
    expect(await readRevision()).toBe(before);
  });

  it("copies certificate, key and expiry", async () => {
    useAuthority(authority);
    const { certificate, privateKey } = authority.aPair();
    await save(aBody({ certificate, private_key: privateKey }));
    await promote();
    const published = await production();
    expect(published).toMatchObject({ certificate, private_key: privateKey });
    expect(published.expiration_ts).toBe((await get("?id=1")).data.module_configs[0].expiration_ts);
  });

  it("refuses an expired certificate", async () => {
    await store((tx) => storeModuleConfig(tx, "STAGING", { expirationTs: new Date(Date.now() - 1000) }));
    expect(await promote()).toMatchObject({ status: 400, meta: { message: "The certificate has expired" } });
    expect(await ModuleConfigModel.countDocuments()).toBe(1);
  });

  it("makes one production record out of many promotions at once", async () => {
    await save(aBody());
    const answers = await Promise.all(Array.from({ length: many }, () => promote()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await ModuleConfigModel.countDocuments({ status: "PRODUCTION" })).toBe(1);
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
