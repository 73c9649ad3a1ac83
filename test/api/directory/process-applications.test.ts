import { describe, expect, it, vi } from "vitest";
import { derivedMembers, ApplicationModel } from "@/models/application";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { AuditEventModel } from "@/models/audit-event";
import { CategoryModel } from "@/models/directory/category";
import { FeedbackModel } from "@/models/directory/feedback";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { log } from "@/lib/platform/log";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { DirectoryReading } from "@/lib/apps/directory/client/reading";
import { findFlags, raisesRevision, setFlags, storeApp, storeServiceType } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { aRecord, plainProcessing, processNow } from "@/test/support/directory";
import { watchQueries } from "@/test/support/query-plans";

withEmptyDatabase();

const versionsOf = (uuid: string) => ApplicationModel.find({ uuid }).sort({ _id: 1 }).lean();
const deleted = { deleted_ts: "2026-02-01T00:00:00.000Z" };
const blacklisted = { blacklisted_ts: "2026-02-01T00:00:00.000Z" };
const automatic = { settings: { autoApproveAllApps: true, encryptionRequired: true } };

describe("D1: deleted", () => {
  it("removes every version and everything keyed by the uuid; only the blacklist flag stays", async () => {
    await processNow([aRecord("a"), aRecord("b")], automatic);
    await processNow([aRecord("a", { version_id: 78 })]);
    await setFlags("a", { isBlacklisted: true, isAdministratorApp: true });
    const times = { expirationTs: new Date(), createdAt: new Date() };
    await AppCertificateModel.create({ _id: "a", container: "AAAA", ...times });

    expect(await processNow([aRecord("a", deleted)])).toEqual([{ kind: "deleted", uuid: "a", isChanged: true }]);
    expect((await ApplicationModel.find().lean()).map(({ uuid }) => uuid)).toEqual(["b"]);
    expect((await FeedbackModel.find().lean()).map(({ uuid }) => uuid)).toEqual(["b"]);
    expect(await AppCertificateModel.countDocuments()).toBe(0);
    expect(await findFlags("a")).toMatchObject({ isBlacklisted: true, isAdministratorApp: false });
    expect((await createSnapshotLoader().load()).apps.byUuid("b")).toBeDefined();
  });

  it("of an app that is not known is nothing, and raises no revision", async () => {
    const nothing = [{ kind: "deleted", uuid: "a", isChanged: false }];
    const work = async () => expect(await processNow([aRecord("a", deleted)])).toEqual(nothing);
    expect(await raisesRevision(work)).toBe(false);
    expect(await ApplicationFlagsModel.countDocuments()).toBe(0);
  });

  it("comes before everything else: such a record need not be complete, and may be blacklisted", async () => {
    await storeApp("a");
    const outcomes = await processNow([{ uuid: "a", ...deleted, ...blacklisted }]);
    expect(outcomes).toEqual([{ kind: "deleted", uuid: "a", isChanged: true }]);
    expect(await findFlags("a")).toMatchObject({ isBlacklisted: false });
  });
});

describe("D2: blacklisted", () => {
  it("sets the flag with the origin, stores no version, and is done once", async () => {
    const before = Date.now();
    expect(await processNow([aRecord("a", blacklisted)])).toEqual([
      { kind: "blacklisted", uuid: "a", isChanged: true },
    ]);
    expect(await versionsOf("a")).toEqual([]);
    const flags = await findFlags("a");
    expect(flags).toMatchObject({ isBlacklisted: true, blacklistOrigin: "directory" });
    expect(flags?.blacklistedTs?.getTime()).toBeGreaterThanOrEqual(before);
    expect(await raisesRevision(() => processNow([aRecord("a", blacklisted)]))).toBe(false);
    expect(await findFlags("a")).toEqual(flags);
  });

  it("is not lifted when the directory later reports the app without it; its versions arrive as LIMITED", async () => {
    await processNow([aRecord("a", blacklisted)]);
    expect(await processNow([aRecord("a")], automatic)).toMatchObject([{ kind: "stored", approvalStatus: "LIMITED" }]);
    expect(await findFlags("a")).toMatchObject({ isBlacklisted: true, blacklistOrigin: "directory" });
    expect((await createSnapshotLoader().load()).apps.byUuid("a")?.isBlacklisted).toBe(true);
  });

  it("leaves time and origin of an administrator's blacklisting", async () => {
    const ban = { isBlacklisted: true, blacklistedTs: new Date(0), blacklistOrigin: "administrator" };
    await setFlags("a", ban);
    await processNow([aRecord("a", blacklisted)]);
    expect(await findFlags("a")).toMatchObject(ban);
  });
});

describe("D3: a known version", () => {
  it("changes nothing, not even other members, may be malformed by now, and costs no transaction", async () => {
    await processNow([aRecord("a")]);
    const [before] = await versionsOf("a");
    const known = { kind: "known", uuid: "a" };
    const raised = await raisesRevision(async () => {
      const seen = await watchQueries(async () => {
        const records = [aRecord("a", { name: "Another name" }), aRecord("a", { name: null, vendor: 7 })];
        expect(await processNow(records)).toEqual([known, known]);
      });
      expect(seen.map(({ collection }) => collection)).toEqual(["revision", "application_flags", "applications"]);
    });
    expect(raised).toBe(false);
    expect(await versionsOf("a")).toEqual([before]);
  });

  it("without a number counts as the same", async () => {
    await processNow([aRecord("a", { version_id: null })]);
    const records = [null, undefined, 0].map((version_id) => aRecord("a", { version_id }));
    expect((await processNow(records)).map(({ kind }) => kind)).toEqual(["known", "known", "stored"]);
    expect(await versionsOf("a")).toHaveLength(2);
  });
});

it("D5: what is malformed is refused with a reason that names the member, and does not stop the others", async () => {
  const levels = "default_hmi_level must be one of HMI_FULL, HMI_LIMITED, HMI_BACKGROUND, HMI_NONE";
  const rows: readonly (readonly [record: unknown, uuid: string | null, reason: string])[] = [
    [aRecord("a", { default_hmi_level: "FULL" }), "a", levels],
    [aRecord("a", { name: undefined }), "a", "name is missing"],
    [aRecord("a", { status: 7 }), "a", "status must be a text"],
    [aRecord("a", { can_background_alert: "yes" }), "a", "can_background_alert must be true or false"],
    [aRecord("a", { vendor: null, status: "" }), "a", "status must not be empty; vendor must be an object"],
    ["text", null, "the record must be an object"],
    [{}, null, "uuid is missing"],
    [aRecord("x".repeat(37)), null, "uuid must have at most 36 characters"],
  ];
  const outcomes = await processNow([aRecord("b"), ...rows.map(([record]) => record), aRecord("c")]);
  expect(outcomes.slice(1, -1)).toEqual(rows.map(([, uuid, reason]) => ({ kind: "malformed", uuid, reason })));
  expect((await ApplicationModel.find().lean()).map(({ uuid }) => uuid)).toEqual(["b", "c"]);
});

it("D6: stores what is unknown, names what has no name, and leaves what is known as it is", async () => {
  await storeServiceType("MEDIA", ["ButtonPress"]);
  await processNow([
    aRecord("a", {
      category: { id: 41, name: "NEW", display_name: "New" },
      categories: [{ id: 42, name: "OTHER", display_name: null }],
      permissions: [
        { key: "no-such-permission", hmi_level: "HMI_FULL" },
        { key: "no-such-permission", hmi_level: "HMI_NONE" },
      ],
      services: [{ name: "MEDIA", service_names: ["x"] }, { name: "TELEPATHY" }],
      locales: [{ locale: { code: "xx-yy" } }],
    }),
  ]);
  expect(await versionsOf("a")).toMatchObject([
    {
      categoryId: 41,
      permissions: [{ key: "no-such-permission", hmiLevel: "HMI_FULL" }],
      services: [
        { name: "MEDIA", displayName: "media", serviceNames: ["x"], selectedPermissions: ["ButtonPress"] },
        { name: "TELEPATHY", displayName: "TELEPATHY", serviceNames: [], selectedPermissions: [] },
      ],
      locales: [{ code: "xx-yy" }],
    },
  ]);
  expect(await CategoryModel.find().sort({ _id: 1 }).lean()).toMatchObject([
    { _id: 41, name: "NEW", displayName: "New" },
    { _id: 42, name: "OTHER" },
  ]);
  await processNow([aRecord("b", { category: { id: 41, name: "NEWER", display_name: "Newer" } })]);
  expect(await CategoryModel.findById(41).lean()).toMatchObject({ name: "NEW" });
  expect(await ServiceTypeModel.find().sort({ _id: 1 }).lean()).toMatchObject([
    { name: "MEDIA", permissions: ["ButtonPress"] },
    { name: "TELEPATHY", displayName: "TELEPATHY", permissions: [] },
  ]);
});

it("D7, D8, D9, D11: a new version is decided by the settings and the flags of its app, which it leaves alone", async () => {
  const flags = {
    isAdministratorApp: true,
    allowUnknownRpcPassthrough: true,
    hybridAppPreference: "CLOUD",
    priority: "NORMAL",
  };
  await setFlags("b", { ...flags, isAutoApprovedEnabled: true });
  await setFlags("d", { isBlacklisted: true, isAutoApprovedEnabled: true });
  await processNow([aRecord("a", { approval_status: "ACCEPTED", is_auto_approved_enabled: true }), aRecord("b")], {
    settings: { ...plainProcessing.settings, encryptionRequired: true },
  });
  await processNow([aRecord("c"), aRecord("d")], automatic);
  expect(await ApplicationModel.find().sort({ uuid: 1 }).lean()).toMatchObject([
    { uuid: "a", approvalStatus: "PENDING", encryptionRequired: false, ...{ denialMessage: null, groupGrants: [] } },
    { uuid: "b", approvalStatus: "ACCEPTED", encryptionRequired: true },
    { uuid: "c", approvalStatus: "ACCEPTED", encryptionRequired: true },
    { uuid: "d", approvalStatus: "LIMITED", encryptionRequired: false },
  ]);
  expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: false });
  expect(await findFlags("b")).toMatchObject(flags);
});

describe("D12: bundles", () => {
  const webengine = { transport_type: "webengine", package_url: "https://example.com/app.zip" };
  const bundle = { url: "https://cdn.example.com/1", sizeCompressedBytes: 10, sizeDecompressedBytes: 20 };

  it("are handled before storing; address and sizes are the handler's", async () => {
    const handleBundle = vi.fn((url: string) => {
      expect(url).toBe(webengine.package_url);
      return Promise.resolve(bundle);
    });
    // Only webengine apps with a package have one.
    const others = [{ transport_type: "websocket" }, { package_url: "" }].map((one, at) =>
      aRecord(`b${at}`, { ...webengine, ...one }),
    );
    await processNow([aRecord("a", webengine), ...others], { handleBundle });
    expect(handleBundle).toHaveBeenCalledTimes(1);
    expect(await versionsOf("b0")).toMatchObject([{ packageUrl: webengine.package_url, sizeCompressedBytes: null }]);
    expect(await versionsOf("a")).toMatchObject([
      { packageUrl: bundle.url, sizeCompressedBytes: 10, sizeDecompressedBytes: 20 },
    ]);
    await processNow([aRecord("a", webengine)], { handleBundle });
    expect(handleBundle).toHaveBeenCalledTimes(1);
  });

  it.each([
    [() => Promise.reject(new Error("the address is private")), "package_url: the address is private"],
    [vi.fn().mockRejectedValue("a text"), "package_url: the bundle handler failed"],
  ])("that fail make the app malformed, and no other", async (handleBundle, reason) => {
    expect(await processNow([aRecord("a", webengine), aRecord("b")], { handleBundle })).toMatchObject([
      { kind: "malformed", uuid: "a", reason },
      { kind: "stored" },
    ]);
  });

  it("are handled at most five at a time", async () => {
    let now = 0;
    let max = 0;
    const handleBundle = async () => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return bundle;
    };
    await processNow(
      Array.from({ length: 20 }, (_, index) => aRecord(`a${index}`, webengine)),
      { handleBundle },
    );
    expect(max).toBe(5);
  });
});

describe("D14: storing", () => {
  it("is one document per version; the last one delivered is the latest", async () => {
    await processNow([aRecord("a"), aRecord("a", { version_id: 79 }), aRecord("b"), aRecord("a", { version_id: 78 })]);
    expect((await versionsOf("a")).map(({ versionId, isLatest }) => [versionId, isLatest])).toEqual([
      [77, false],
      [79, false],
      [78, true],
    ]);
  });

  it("stores the same document as the schema would", async () => {
    await processNow([aRecord("a", { services: [{ name: "MEDIA", service_names: ["x"] }] })]);
    const [stored] = await ApplicationModel.collection.find({}).toArray();
    const made = new ApplicationModel(stored);
    await made.validate();
    const { __v: _, ...expected } = made.toObject({ minimize: false }) as unknown as Record<string, unknown>;
    expect({ ...stored }).toEqual(expected);
    expect(stored).toMatchObject(derivedMembers(stored as unknown as Parameters<typeof derivedMembers>[0]));
    const [flags] = await ApplicationFlagsModel.collection.find({}).toArray();
    const madeFlags = new ApplicationFlagsModel(flags);
    await madeFlags.validate();
    const { __v: __, ...expectedFlags } = madeFlags.toObject() as unknown as Record<string, unknown>;
    expect({ ...flags }).toEqual(expectedFlags);
  });

  it("stores a version once when two deliver it at the same moment", async () => {
    const outcomes = await Promise.all([processNow([aRecord("a")]), processNow([aRecord("a")])]);
    // The second one says "overtaken": the app is read again, and then this version is known.
    const kinds = outcomes.flat().map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["overtaken", "stored"]);
    expect(await versionsOf("a")).toHaveLength(1);
  });

  it("does what a batch says about one app in its order", async () => {
    await processNow([aRecord("a")]);
    const outcomes = await processNow([
      aRecord("a", deleted),
      aRecord("a"),
      aRecord("b", blacklisted),
      aRecord("b"),
      aRecord("c"),
      aRecord("c", deleted),
    ]);
    expect(outcomes).toMatchObject([
      { kind: "deleted", isChanged: true },
      { kind: "stored", approvalStatus: "PENDING" },
      { kind: "blacklisted", isChanged: true },
      { kind: "stored", approvalStatus: "LIMITED" },
      { kind: "stored" },
      { kind: "deleted", isChanged: true },
    ]);
    expect(await versionsOf("c")).toEqual([]);
  });

  it("leaves out only the record that the database refuses", async () => {
    // Longer than a document may be, although each text is within what the directory may send.
    const [name, chunk] = ["x".repeat(1_000), { chunk_type: "TEXT", chunk_text: "x".repeat(1_000) }];
    const codes = Array.from({ length: 9_000 }, (_, index) => `c${index}`);
    const locales = codes.map((code) => ({ locale: { code }, name, tts_chunks: [chunk] }));
    const told = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const records = ["a", "b", "c", "d", "e"].map((uuid) => aRecord(uuid, uuid === "c" ? { locales } : {}));
    const outcomes = await processNow(records);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["stored", "stored", "malformed", "stored", "stored"]);
    expect(outcomes[2]).toMatchObject({ uuid: "c", reason: expect.stringMatching(/^could not be stored \(\w+\)$/) });
    expect(await versionsOf("c")).toEqual([]);
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ uuid: "c" }), expect.any(String));
    told.mockRestore();
  });

  it("is one revision and one audit event per version", async () => {
    await processNow([aRecord("a"), aRecord("b")], automatic);
    const events = await AuditEventModel.find().sort({ _id: 1 }).lean();
    expect(events).toMatchObject([
      { action: "applications.store", target: "app:a", actor: "directory", after: { version_id: 77 } },
      { action: "applications.store", target: "app:b", after: { approval_status: "ACCEPTED" } },
    ]);
    expect(new Set(events.map(({ revision }) => revision)).size).toBe(1);
  });
});

describe("D15: after storing", () => {
  it("queues feedback for what was decided, in the same transaction (P1, P3)", async () => {
    await setFlags("b", { isBlacklisted: true });
    await processNow([aRecord("a"), aRecord("b"), aRecord("c", { version_id: null })], automatic);
    const elements = await FeedbackModel.find().sort({ _id: 1 }).lean();
    expect(elements).toMatchObject([
      { _id: "a:77", approvalStatus: "ACCEPTED", notes: null, blacklist: false, attempts: 0, lastError: null },
      { _id: "b:77", approvalStatus: "LIMITED", blacklist: true },
    ]);
    const [version] = await AuditEventModel.find({ target: "app:a" }).lean();
    expect(elements[0]?.revision).toBe(version?.revision);
  });

  it("tells by mail of what waits for a decision, when asked to", async () => {
    const told: unknown[] = [];
    await setFlags("b", { isAutoApprovedEnabled: true });
    const mail = (app: { id: number; name: string }) => told.push([app.id, app.name]);
    const outcomes = await processNow([aRecord("a", { name: "Waiting" }), aRecord("b")], { mail });
    expect(told).toEqual([[outcomes[0]?.kind === "stored" && outcomes[0].id, "Waiting"]]);
    await processNow([aRecord("a")], { mail });
    expect(told).toHaveLength(1);
  });
});

describe("a record that was read before something happened to its app", () => {
  it.each([
    ["stored", () => processNow([aRecord("a", { version_id: 90 })])],
    ["deleted", () => processNow([aRecord("a", deleted)])],
    ["decided upon", () => setFlags("a", { isAdministratorApp: true })],
  ])("is not applied when the app was %s meanwhile", async (_, happen) => {
    await processNow([aRecord("a", { version_id: 76 })]);
    const reading = await DirectoryReading.begin();
    await happen();
    const before = await versionsOf("a");
    expect(await processNow([aRecord("a"), aRecord("b")], { reading })).toMatchObject([
      { kind: "overtaken", uuid: "a" },
      { kind: "stored", uuid: "b" },
    ]);
    expect(await versionsOf("a")).toEqual(before);
  });

  it("is applied when only the same reading changed the app", async () => {
    const reading = await DirectoryReading.begin();
    await processNow([aRecord("a", { version_id: 76 })], { reading });
    expect(await processNow([aRecord("a")], { reading })).toMatchObject([{ kind: "stored" }]);
  });
});
