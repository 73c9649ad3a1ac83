import { describe, expect, it } from "vitest";
import { buildApplicationVersion, decideApproval, type ApprovalDefaults } from "@/lib/apps/applications/rules";
import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { aDirectoryApplication } from "@/test/support/directory-records";

const undecided: ApprovalDefaults = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: false,
  encryptionRequired: false,
};
const now = new Date("2026-03-01T10:00:00.000Z");
const serviceTypes = [{ name: "MEDIA", displayName: "Media", permissions: ["ButtonPress", "Show"] }];

const build = (members: Record<string, unknown> = {}, defaults: Partial<ApprovalDefaults> = {}) =>
  buildApplicationVersion(directoryApplication.parse(aDirectoryApplication(members)), {
    defaults: { ...undecided, ...defaults },
    serviceTypes,
    now,
  });

describe("short id (rule D4)", () => {
  it.each([
    ["22222222-aaaa-4bbb-8ccc-000000000002", "22222222aa"],
    ["a_b-c_d", "abcd"],
    ["---", ""],
  ])("of %s is %s", (uuid, short) => expect(deriveShortUuid(uuid)).toBe(short));

  it("is the directory's own when there is one", () => {
    expect(build({ short_uuid: "OWN" })).toMatchObject({ shortUuid: "OWN", shortKey: "own" });
    expect(build({ short_uuid: undefined })).toMatchObject({ shortUuid: "22222222aa" });
  });
});

it.each([
  [{}, "PENDING"],
  [{ isAutoApprovedEnabled: true }, "ACCEPTED"],
  [{ autoApproveAllApps: true }, "ACCEPTED"],
  [{ isBlacklisted: true }, "LIMITED"],
  [{ isBlacklisted: true, autoApproveAllApps: true, isAutoApprovedEnabled: true }, "LIMITED"],
] as const)("approval status (rule D7): with %j is %s", (defaults, status) => {
  expect(decideApproval({ ...undecided, ...defaults })).toBe(status);
});

it.each([
  [{ encryptionRequired: true }, false],
  [{ encryptionRequired: true, autoApproveAllApps: true }, true],
  [{ encryptionRequired: false, autoApproveAllApps: true }, false],
  [{ encryptionRequired: true, autoApproveAllApps: true, isBlacklisted: true }, false],
] as const)(
  "encryption is required only of accepted versions, as the setting says (rule D8): %j",
  (defaults, required) => expect(build({}, defaults).encryptionRequired).toBe(required),
);

it("selects every permission linked to a service type (D10), and names an unknown type after itself (D6)", () => {
  const services = [
    { name: "MEDIA", service_names: ["Tunes"] },
    { name: "NEW", service_names: [] },
  ];
  expect(build({ services }).services).toEqual([
    { name: "MEDIA", displayName: "Media", serviceNames: ["Tunes"], selectedPermissions: ["ButtonPress", "Show"] },
    { name: "NEW", displayName: "NEW", serviceNames: [], selectedPermissions: [] },
  ]);
});

describe("categories", () => {
  it("counts the primary category among all of them, once", () => {
    const category = { id: 3, name: "MEDIA", display_name: "Media" };
    expect(build({ category, categories: [] })).toMatchObject({
      categoryId: 3,
      categories: [{ id: 3, name: "MEDIA" }],
    });
    expect(build({ category, categories: [category] }).categories).toHaveLength(1);
  });

  it("may be missing altogether", () =>
    expect(build({ category: null, categories: undefined })).toMatchObject({ categoryId: null, categories: [] }));
});

it("takes the time of storing where the directory gives none", () =>
  expect(build({ created_ts: null, updated_ts: "2026-02-01T00:00:00.000Z" })).toMatchObject({
    createdAt: now,
    updatedAt: new Date("2026-02-01T00:00:00.000Z"),
    storedAt: now,
  }));
