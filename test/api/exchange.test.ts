import { findFlags } from "@/test/support/applications";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as exchange from "@/app/api/v1/exchange/route";
import type { Api } from "@/lib/exchange/cli/api";
import { importPreloaded } from "@/lib/exchange/cli/preloaded";
import { toPreloaded } from "@/lib/exchange/preloaded";
import { sharedTable } from "@/lib/policy/checks/findings";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { compiled } from "@/test/support/answers";
import { readRevision } from "@/lib/platform/db/revision";
import { defaultRpcPriorities } from "@/lib/vocabulary/rpc-priorities";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { log } from "@/lib/platform/log";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { content, firstData } from "@/test/support/content";
import { elsewhere, emptyDatabase, withDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { randomStep } from "@/test/support/random-walk";
import { aRequest, readAnswer } from "@/test/support/requests";
import { take } from "@/test/support/take-step";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  await emptyDatabase();
  await firstData();
});

async function read(query = "?environment=staging") {
  const { meta, data } = await readAnswer(await exchange.GET(aRequest(`/api/v1/exchange${query}`)));
  expect([meta.code, meta.message]).toEqual([200, null]);
  return data.document;
}
const send = async (document: unknown, more: object = {}) => {
  const body = { document, ...more };
  return readAnswer(await exchange.POST(aRequest("/api/v1/exchange", { method: "POST", body })));
};
const withoutApps = ({ apps: _, ...rest }: any) => JSON.stringify(rest);
const counts = async () =>
  Object.entries(await content()).map(([name, documents]) => [name, (documents as readonly unknown[]).length]);

describe("X2: export and import", () => {
  it("brings any content into another server: what is exported there is byte-equal, and importing it again changes nothing", async () => {
    let size = 0;
    const property = fc.asyncProperty(fc.array(randomStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      await emptyDatabase();
      await firstData();
      for (const step of steps) await take(step);
      for (const view of ["staging", "production"]) {
        const document = await read(`?environment=${view}`);
        size += Number(document.groups.length);
        await elsewhere(async () => {
          await firstData();
          const first = await send(document, { prune: true });
          expect([first.meta.code, first.meta.message]).toEqual([200, null]);
          expect(withoutApps(await read())).toBe(withoutApps(document));
          const before = [await counts(), await readRevision()];
          const again = await send(document, { prune: true });
          expect([again.meta.code, again.data.items]).toEqual([200, []]);
          expect([await counts(), await readRevision()]).toEqual(before);
        });
      }
    });
    await fc.assert(property, { numRuns: runs(12), endOnFailure: true });
    expect(size).toBeGreaterThan(0);
  });

  it("is canonical: sorted, one form, no ids, no times, no secrets", async () => {
    const document = await read();
    const text = JSON.stringify(document);
    expect(document.format).toBe("open-policy/1");
    expect(document.groups.map(({ name }: any) => name)).toEqual(
      document.groups.map(({ name }: any) => name).toSorted(),
    );
    expect(text).not.toMatch(/"id"|_ts"|created|private_key|certificate"|BEGIN/);
    expect(JSON.stringify(await read())).toBe(text);
    expect(document.messages[0].languages["en-us"]).toBeDefined();
  });

  it("stages and publishes nothing; what is not mentioned stays, unless prune says that the document is the whole truth", async () => {
    const [production, staging] = [await read("?environment=production"), await read()];
    const base = staging.groups.find(({ name }: any) => name === "Base-4");
    const changed = { ...base, description: "Changed", rpcs: base.rpcs.slice(1) };
    const added = { name: "New-1", rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] };
    const document = { format: "open-policy/1", groups: [changed, added] };
    const dry = await send(document, { dry_run: true });
    expect(dry.data.items.map(({ family, key, change }: any) => [family, key, change])).toEqual([
      ["group", "Base-4", "change"],
      ["group", "New-1", "add"],
    ]);
    expect(dry.data.items[0].fields).toContainEqual({
      path: "description",
      before: base.description ?? null,
      after: "Changed",
    });
    expect(await read()).toEqual(staging);
    expect((await send(document)).data.items).toEqual(dry.data.items);
    const after = await read();
    expect(after.groups).toHaveLength(Number(staging.groups.length) + 1);
    expect(after.messages).toEqual(staging.messages);
    expect(await read("?environment=production")).toEqual(production);
    const pruned = await send(
      { format: "open-policy/1", groups: after.groups, messages: staging.messages.slice(0, 3), vehicle_data: [] },
      { prune: true },
    );
    expect(pruned.data.items.every(({ change }: any) => change === "delete")).toBe(true);
    expect((await read()).messages).toEqual(staging.messages.slice(0, 3));
    expect((await read()).module_config).toEqual(staging.module_config);
    expect(await AuditEventModel.countDocuments({ action: "groups.save" })).toBe(2);
  });

  it("a dry run tells what a publication would be told, and the import itself does not", async () => {
    const prompt = { message_category: "Asked-1", languages: { "en-us": { tts: "May it?" } } };
    const asking = { name: "Asking-1", user_consent_prompt: "Asked-1", rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] };
    await send({ format: "open-policy/1", messages: [prompt] });
    const document = { format: "open-policy/1", groups: [asking] };
    const { data } = await send(document, { dry_run: true });
    expect(data.checks).toContainEqual(expect.objectContaining({ level: "block", family: "group", key: "Asking-1" }));
    expect((await send(document)).data).not.toHaveProperty("checks");
  });

  it.each([
    ["an unknown member", { groups: [{ name: "A", rpcs: [], is_defualt: true }] }, /is_defualt/],
    ["an unknown format", { format: "other/1" }, /format/],
    [
      "a name twice",
      {
        groups: [
          { name: "A", rpcs: [] },
          { name: "A ", rpcs: [] },
        ],
      },
      /group A is in the document twice \(document.groups\[2\]\)$/,
    ],
    [
      "what the route of the family refuses",
      { messages: [{ message_category: "M", languages: { "de-de": { tts: "a" } } }] },
      /^message M: A selected en-us text is required \(document.messages\[0\]\)$/,
    ],
    [
      "an unknown prompt",
      { groups: [{ name: "A", user_consent_prompt: "Nowhere", rpcs: [] }] },
      /Consent prompt not found: Nowhere/,
    ],
    [
      "an unknown type",
      { vehicle_data: [{ name: "v", key: "K", type: "Nonsense" }] },
      /^vehicle_data v: type is not a known type \(document.vehicle_data\[0\]\)$/,
    ],
  ])("refuses %s with 400 that names it, and stores nothing of the rest", async (_, part, sentence) => {
    const before = [await counts(), await readRevision()];
    const fine = { format: "open-policy/1", groups: [{ name: "Fine-1", rpcs: [] }] };
    const { meta } = await send({
      ...fine,
      ...part,
      ...("groups" in part ? { groups: [...fine.groups, ...part.groups] } : {}),
    });
    expect([meta.code, meta.message]).toEqual([400, expect.stringMatching(sentence)]);
    expect([await counts(), await readRevision()]).toEqual(before);
  });

  it("finding A8: refuses more groups than a policy can have, at once", async () => {
    const groups = Array.from({ length: 1_001 }, (_, index) => ({ name: `Group-${index}`, rpcs: [] }));
    const before = await counts();
    expect((await send({ format: "open-policy/1", groups })).meta).toMatchObject({
      code: 400,
      message: "document.groups must have at most 1000 elements",
    });
    expect(await counts()).toEqual(before);
  });

  it("takes from production as of a release, and refuses one that there is none of, or two views at once", async () => {
    expect(withoutApps(await read("?release=1"))).toBe(withoutApps(await read("?environment=production")));
    const status = async (query: string) => (await exchange.GET(aRequest(`/api/v1/exchange${query}`))).status;
    expect([
      await status("?release=99"),
      await status("?release=1&environment=staging"),
      await status("?release=x"),
    ]).toEqual([404, 400, 400]);
  });
});

describe("X3: preloaded tables", () => {
  const folder = temporaryFolder();
  const api = {
    ask: async (route: string, { method = "GET", query = {}, body }: any = {}) => {
      const request = aRequest(`/api/v1${route}?${new URLSearchParams(query).toString()}`, { method, body });
      const answer = await readAnswer(await (method === "GET" ? exchange.GET : exchange.POST)(request));
      expect([answer.meta.code, answer.meta.message]).toEqual([200, null]);
      return answer.data;
    },
  } as unknown as Api;
  const bring = async (table: object) => {
    const file = path.join(folder, "table.json");
    writeFileSync(file, JSON.stringify({ policy_table: table }));
    return importPreloaded(api, file, process.cwd(), {});
  };
  const staged = async () => sharedTable(await compiled(await createSnapshotLoader().load(), "staging")) as any;

  it("round trip: groups, levels, parameters, prompts, texts, vehicle data and module config are those of the file", async () => {
    const { module_config: config } = await read();
    const filled = { ...config, rpc_priority_table: defaultRpcPriorities };
    await send({ format: "open-policy/1", ...own, module_config: filled });
    const table = await staged();
    const file = toPreloaded(table, null);
    await emptyDatabase();
    await firstData();
    await send({ format: "open-policy/1", groups: [], messages: [] }, { prune: true });
    const { exitCode, lines } = await bring(file);
    expect([exitCode, lines.filter((line) => line.startsWith("!"))]).toEqual([0, []]);
    const after = await staged();
    expect(after.functional_groupings).toEqual(table.functional_groupings);
    expect(after.consumer_friendly_messages.messages).toEqual(table.consumer_friendly_messages.messages);
    expect(after.vehicle_data.schema_items).toEqual(table.vehicle_data.schema_items);
    expect(after.module_config).toEqual(table.module_config);
    expect(after.rpc_priority_table).toEqual(defaultRpcPriorities);
    expect(after.app_policies).toEqual(table.app_policies);
  });

  it("round trip of a released table's forms; what is lost is named, and the exit code is 1", async () => {
    const { exitCode, data } = await bring(released);
    const after = await staged();
    expect([exitCode, (data as any).left_members.filter((one: any) => one.is_loss)]).toEqual([0, []]);
    const { "Asked-1": asked, "Plain-1": plain } = released.functional_groupings;
    const { encryption_required: _, ...stored } = after.functional_groupings["Asked-1"];
    expect(stored).toEqual(asked);
    expect(after.functional_groupings["Plain-1"].rpcs).toEqual(plain.rpcs);
    const { "es-en": unknown, ...spoken } = released.consumer_friendly_messages.messages.Asked.languages;
    expect(unknown).toBeDefined();
    expect(after.consumer_friendly_messages.messages.Asked.languages).toEqual(spoken);
    const lossy = { ...released, module_config: { endpoints: { "0x99": { default: ["http://a.example.com"] } } } };
    const second = await bring(lossy);
    expect([second.exitCode, second.lines.at(-1)]).toEqual([1, "1 member of the file could not be imported"]);
    const lost = second.lines.filter((line) => line.startsWith("!"));
    expect(lost).toEqual(['! lost: module_config.endpoints["0x99"]: this server does not store this endpoint']);
  });
});

const own = {
  vehicle_data: [
    {
      ...{ name: "scent", key: "S", type: "Struct" },
      params: [{ name: "notes", key: "N", type: "String", array: true, min_length: 1, max_length: 9, max_size: 4 }],
    },
  ],
  groups: [
    {
      ...{ name: "Scented-1", user_consent_prompt: "Scent", encryption_required: true, is_device: true },
      rpcs: [{ name: "GetVehicleData", hmi_levels: ["FULL", "NONE"], parameters: ["gps", "scent"] }],
    },
  ],
  messages: [
    {
      message_category: "Scent",
      languages: {
        "en-us": { tts: "a", line1: "b", line2: "c", text_body: "d", label: "e" },
        "ko-kr": { text_body: "f" },
      },
    },
  ],
};

/** A cut of a released preloaded table with its forms: a language that no head unit knows, bodies in some languages. */
const released = {
  module_config: { preloaded_pt: true, exchange_after_x_days: 30, endpoints: { "0x07": { default: ["http://x.x"] } } },
  functional_groupings: {
    "Asked-1": {
      user_consent_prompt: "Asked",
      rpcs: {
        GetVehicleData: { hmi_levels: ["BACKGROUND", "FULL", "LIMITED"], parameters: ["gps", "speed"] },
        OnVehicleData: { hmi_levels: ["BACKGROUND", "FULL", "LIMITED"], parameters: ["gps", "speed"] },
      },
    },
    "Plain-1": { rpcs: { Alert: { hmi_levels: ["BACKGROUND"] } } },
  },
  consumer_friendly_messages: {
    version: "001.001.021",
    messages: {
      Asked: {
        languages: {
          "de-de": { tts: "Darf es?", label: "Ort" },
          "en-gb": { tts: "May it?", label: "Place", textBody: "May it, really?" },
          "en-us": { tts: "May it?", label: "Place", textBody: "May it, really?" },
          "es-en": { tts: "¿Puede?", label: "Lugar", textBody: "¿Puede?" },
        },
      },
    },
  },
  app_policies: { default: { groups: ["Plain-1"], keep_context: false, priority: "NONE" } },
  vehicle_data: { schema_version: "0.0.2", schema_items: [{ name: "gps", key: "OEM_REF_GPS", type: "Struct" }] },
};

describe("X2: decisions about apps", () => {
  const storedAs = async (approvalStatus: ApprovalStatus) =>
    (await ApplicationModel.findOne({ approvalStatus }).sort({ _id: 1 }).lean())!;
  const version = ({ versionId: version = null }: { versionId?: number | null }, approval_status: ApprovalStatus) => {
    return { version, approval_status };
  };
  const bring = async (...apps: object[]) => (await send({ format: "open-policy/1", apps })).data;

  it("never publish: an accepted version waits in staging, one that is accepted here stays, an unknown app is told", async () => {
    const [pending, accepted] = [await storedAs("PENDING"), await storedAs("ACCEPTED")];
    const granted = { ...version(pending, "ACCEPTED"), groups: ["Base-4"] };
    const apps = [
      { uuid: pending.uuid, is_administrator_app: true, versions: [granted] },
      { uuid: accepted.uuid, versions: [{ ...version(accepted, "ACCEPTED"), encryption_required: true }] },
      { uuid: "unknown", versions: [] },
    ];
    const { items, left } = await bring(...apps);
    expect(items.find(({ key }: any) => key === pending.uuid)).toMatchObject({ family: "app", change: "change" });
    expect(left).toEqual([
      `version ${accepted.versionId} of ${accepted.name} (app ${accepted.uuid}) is approved for production here, and stays as it is`,
      "app unknown is not known here: it comes from the app directory",
    ]);
    expect(await ApplicationModel.findOne({ _id: pending._id }).lean()).toMatchObject({
      approvalStatus: "STAGING",
      groupGrants: ["Base-4"],
    });
    expect(await ApplicationModel.findOne({ _id: accepted._id }).lean()).toMatchObject({
      approvalStatus: "ACCEPTED",
      encryptionRequired: accepted.encryptionRequired,
    });
    const revision = await readRevision();
    expect((await bring(...apps)).items).toEqual([]);
    expect(await readRevision()).toBe(revision);
  });

  it("W8: a limit takes effect at once", async () => {
    const accepted = await storedAs("ACCEPTED");
    const limited = { ...version(accepted, "LIMITED"), denial_message: "It does not encrypt" };
    expect((await bring({ uuid: accepted.uuid, versions: [limited] })).left).toEqual([]);
    expect(await ApplicationModel.findOne({ _id: accepted._id }).lean()).toMatchObject({
      approvalStatus: "LIMITED",
      denialMessage: "It does not encrypt",
      groupGrants: accepted.groupGrants,
    });
  });

  it("W8, G2: what the routes refuse to grant is left and named; the same file twice changes nothing", async () => {
    const pending = await storedAs("PENDING");
    const wanted = {
      ...version(pending, "PENDING"),
      groups: ["Unknown", "Location-1", "Base-4", "Base-4"],
      services: [{ name: "WEATHER", permissions: ["GetWeather"] }],
    };
    const app = { uuid: pending.uuid.toUpperCase(), versions: [wanted] };
    const { left, items } = await bring(app);
    const name = `version ${pending.versionId} of ${pending.name} (app ${pending.uuid})`;
    expect(left).toEqual([
      `group Unknown is not granted to ${name}`,
      `permission of the service WEATHER: GetWeather is not granted to ${name}`,
    ]);
    expect(items).toMatchObject([{ family: "app", key: pending.uuid }]);
    expect(await ApplicationModel.findOne({ _id: pending._id }).lean()).toMatchObject({
      groupGrants: ["Base-4", "Location-1"],
      services: pending.services,
    });
    const revision = await readRevision();
    expect((await bring(app)).items).toEqual([]);
    expect(await readRevision()).toBe(revision);
  });

  it("W8: grants and flags that a file does not mention stay", async () => {
    const pending = await storedAs("PENDING");
    const full = { ...version(pending, "PENDING"), groups: ["Base-4"], encryption_required: true };
    await bring({
      uuid: pending.uuid,
      is_administrator_app: true,
      hybrid_preference: "CLOUD",
      priority: "NORMAL",
      versions: [full],
    });
    expect((await bring({ uuid: pending.uuid, versions: [version(pending, "STAGING")] })).items).toMatchObject([
      { fields: [{ path: expect.stringContaining("approval_status") }] },
    ]);
    expect(await findFlags(pending.uuid)).toMatchObject({
      isAdministratorApp: true,
      hybridAppPreference: "CLOUD",
      priority: "NORMAL",
    });
    expect(await ApplicationModel.findOne({ _id: pending._id }).lean()).toMatchObject({
      groupGrants: ["Base-4"],
      encryptionRequired: true,
    });
  });

  it("W8: refuses an app, and a version, that is there twice", async () => {
    const { uuid, ...pending } = await storedAs("PENDING");
    const once = { uuid, versions: [version(pending, "STAGING")] };
    const apps = [once, { uuid: uuid.toUpperCase(), versions: [] }];
    expect((await send({ format: "open-policy/1", apps })).meta).toMatchObject({
      code: 400,
      message: `app ${uuid.toLowerCase()} is in the document twice`,
    });
    const twice = { uuid, versions: [version(pending, "STAGING"), version(pending, "PENDING")] };
    expect((await send({ format: "open-policy/1", apps: [twice] })).meta.message).toContain("is in the document twice");
    expect(await ApplicationModel.findOne({ uuid }).lean()).toMatchObject({ approvalStatus: "PENDING" });
  });
});
