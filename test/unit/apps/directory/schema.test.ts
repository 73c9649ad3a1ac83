import { describe, expect, it } from "vitest";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { aDirectoryApplication } from "@/test/support/directory-records";

const parse = (members: Record<string, unknown> = {}) => directoryApplication.parse(aDirectoryApplication(members));

describe("malformed records (rule D5)", () => {
  it.each([
    ["uuid", 7],
    ["uuid", ""],
    ["uuid", "x".repeat(37)],
    ["name", null],
    ["name", ""],
    ["platform", ""],
    ["platform", undefined],
    ["status", ""],
    ["can_background_alert", "false"],
    ["can_steal_focus", null],
    ["default_hmi_level", "FULL"],
    ["vendor", null],
    ["vendor", "Clima Works"],
  ])("refuses %s = %j", (member, value) => {
    const result = directoryApplication.safeParse(aDirectoryApplication({ [member]: value }));
    expect(result.error?.issues[0]?.path[0]).toBe(member);
  });

  it("accepts the example record of section 11", () =>
    expect(parse()).toMatchObject({ uuid: "22222222-aaaa-4bbb-8ccc-000000000002", version_id: 77 }));
});

describe("repaired records (rule D6)", () => {
  it("keeps the first of duplicates, in stored order", () => {
    const [gps, show] = ["gps", "Show"].map((key) => ({ key, hmi_level: "HMI_FULL" }));
    const germany = { iso: "DE", name: "Germany" };
    const media = { id: 3, name: "MEDIA", display_name: null };
    const record = parse({
      permissions: [gps, show, { ...gps, hmi_level: "HMI_LIMITED" }],
      countries: [germany, { ...germany, name: "Deutschland" }],
      display_names: ["B", "A", "B"],
      categories: [media, { ...media, name: "SOCIAL" }],
    });
    expect(record.permissions).toEqual([gps, show]);
    expect(record.countries).toEqual([germany]);
    expect(record.display_names).toEqual(["B", "A"]);
    expect(record.categories).toEqual([media]);
  });

  it("keeps unknown permission keys, and permissions with an unusable level without it", () => {
    const known = { key: "NewRpc", hmi_level: "HMI_FULL" };
    const { permissions } = parse({ permissions: [known, { key: "Odd", hmi_level: 4 }] });
    expect(permissions).toEqual([known, { key: "Odd", hmi_level: null }]);
  });

  it("keeps services without names", () =>
    expect(parse({ services: [{ name: "MEDIA" }] }).services).toEqual([{ name: "MEDIA", service_names: [] }]));

  it("cuts the description at 1,000 characters, and leaves what reaches a table to rule D16", () => {
    const long = { display_names: ["n".repeat(300)], icon_url: "x".repeat(70_000), cloud_endpoint: "y".repeat(300) };
    const record = parse({ description: "d".repeat(1200), ...long });
    expect(record.description).toHaveLength(1000);
    expect(record).toMatchObject(long);
  });

  it("makes texts whole that the database would change; an id of half a character is malformed", () => {
    const half = "a\ud800b";
    const record = parse({ name: half, permissions: [{ key: half }], description: `${"d".repeat(999)}😀` });
    expect([record.name, record.permissions[0]?.key]).toEqual(["a\ufffdb", "a\ufffdb"]);
    expect(record.description?.isWellFormed()).toBe(true);
    const result = directoryApplication.safeParse(aDirectoryApplication({ uuid: half }));
    expect(result.error?.issues[0]?.path[0]).toBe("uuid");
  });

  it("makes empty texts null", () =>
    expect(parse({ icon_url: "", description: "", tech_email: 5 })).toMatchObject({
      icon_url: null,
      description: null,
      tech_email: null,
    }));

  it("drops unusable elements and lists that are none", () => {
    const record = parse({ countries: "DE", locales: [null, { locale: {} }], permissions: [7, { key: "Show" }] });
    expect([record.countries, record.locales]).toEqual([[], []]);
    expect(record.permissions).toEqual([{ key: "Show", hmi_level: null }]);
  });

  it("takes every member that is not needed for missing when it is absent", () => {
    const flags = ["can_background_alert", "can_steal_focus", "default_hmi_level"];
    const whole = aDirectoryApplication();
    const needed = ["uuid", "name", "platform", "status", ...flags, "vendor"];
    const bare = Object.fromEntries(needed.map((member) => [member, whole[member]]));
    expect(directoryApplication.parse(bare)).toMatchObject({
      can_manage_widgets: false,
      version_id: null,
      permissions: [],
      services: [],
      created_ts: null,
      deleted_ts: null,
    });
  });

  it("caps lists at 10,000 elements (rule H7)", () => {
    const permissions = Array.from({ length: 10_050 }, (_, index) => ({ key: `p${index}` }));
    expect(parse({ permissions }).permissions).toHaveLength(10_000);
  });

  it("reads times, and takes unreadable ones for missing", () => {
    const record = parse({ created_ts: "2026-01-05T09:00:00.000Z", updated_ts: "yesterday", blacklisted_ts: 0 });
    expect(record.created_ts?.toISOString()).toBe("2026-01-05T09:00:00.000Z");
    expect(record.updated_ts).toBeNull();
    expect(record.blacklisted_ts?.getTime()).toBe(0);
  });

  it("ignores the directory's own approval members", () => {
    const record = parse({ approval_status: "ACCEPTED", is_auto_approved_enabled: true });
    for (const own of ["approval_status", "is_auto_approved_enabled"]) expect(record).not.toHaveProperty(own);
  });
});
