import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approvalStatuses, hmiTextLevels, hybridPreferences } from "@/lib/labels/vocabulary";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../seed/${name}.json`, import.meta.url), "utf8"));

const text = z.string().min(1);
const absentable = text.nullable();
const timestamp = z.iso.datetime();
const category = z.strictObject({ id: z.int(), name: text, display_name: text });
const version = z.string().regex(/^\d+\.\d+\.\d+$/);

/** The record of the directory, strictly: an unknown member here would be one that the server never reads. */
const exampleApp = z.strictObject({
  uuid: z.uuidv4(),
  short_uuid: z.string().regex(/^[0-9a-f]{10}$/),
  name: text,
  platform: z.enum(["ANDROID", "IOS", "CLOUD", "EMBEDDED"]),
  platform_app_id: absentable,
  status: z.enum(["DEVELOPMENT", "REVIEW", "PRODUCTION"]),
  version_id: z.int().positive(),
  developer_version: text,
  min_rpc_version: version,
  min_protocol_version: version,
  can_background_alert: z.boolean(),
  can_steal_focus: z.boolean(),
  can_manage_widgets: z.boolean(),
  default_hmi_level: z.enum(hmiTextLevels),
  icon_url: absentable,
  cloud_endpoint: absentable,
  cloud_transport_type: z.enum(["WS", "WSS"]).nullable(),
  ca_certificate: absentable,
  tech_email: z.email().nullable(),
  tech_phone: absentable,
  category,
  categories: z.array(category).min(1),
  vendor: z.strictObject({ name: text, email: z.email() }),
  countries: z.array(z.strictObject({ iso: z.string().regex(/^[A-Z]{2}$/), name: text })).min(1),
  display_names: z.array(text.max(100)).min(1),
  permissions: z.array(z.strictObject({ key: text, hmi_level: z.enum(hmiTextLevels) })).min(1),
  services: z.array(z.strictObject({ name: text, service_names: z.array(text) })),
  locales: z.array(
    z.strictObject({
      locale: z.strictObject({ code: text }),
      name: text,
      vr_names: z.array(text).min(1),
      tts_chunks: z.array(z.strictObject({ chunk_type: z.literal("TEXT"), chunk_text: text })),
    }),
  ),
  description: z.string().min(40).max(1000),
  transport_type: z.enum(["webengine", "websocket"]).nullable(),
  package_url: z.url().nullable(),
  entrypoint_path: absentable,
  icon_path: absentable,
  created_ts: timestamp,
  updated_ts: timestamp,
  deleted_ts: z.null(),
  blacklisted_ts: z.null(),
  local: z
    .strictObject({
      approval_status: z.enum(approvalStatuses),
      is_blacklisted: z.boolean().optional(),
      is_administrator_app: z.boolean().optional(),
      allow_unknown_rpc_passthrough: z.boolean().optional(),
      hybrid_app_preference: z.enum(hybridPreferences).optional(),
      group_grants: z.array(text).optional(),
      encryption_required: z.boolean().optional(),
      denial_message: text.optional(),
    })
    .optional(),
});

const apps = z.array(exampleApp).parse(read("example-apps"));
const services = z
  .object({ service_types: z.array(z.object({ name: text })), categories: z.array(category) })
  .parse(read("app-services"));
const permissionTypes = new Map(
  z
    .array(z.object({ key: text, type: text }))
    .parse(read("permissions"))
    .map(({ key, type }) => [key, type]),
);
const groups = z
  .object({ groups: z.array(z.object({ name: text, is_proprietary_group: z.boolean() })) })
  .parse(read("functional-groups")).groups;
const languageIds = z
  .object({ languages: z.array(z.object({ id: text })) })
  .parse(read("languages"))
  .languages.map(({ id }) => id);

const newestFirst = apps.toSorted((a, b) => b.version_id - a.version_id);
const duplicates = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);
const requests = (app: (typeof apps)[number], type: string) =>
  app.permissions.some(({ key }) => permissionTypes.get(key) === type);

describe("references of the example apps", () => {
  it("number at least fourteen", () => {
    expect(new Set(apps.map(({ uuid }) => uuid)).size).toBeGreaterThanOrEqual(14);
  });

  it.each(apps.map((app) => ({ ...app, title: `${app.name} ${app.developer_version}` })))(
    "$title names only permissions, services, categories, groups and languages of the seed",
    ({ permissions, services: provided, categories, category: primary, local, locales }) => {
      expect(permissions.filter(({ key }) => !permissionTypes.has(key))).toEqual([]);
      expect(duplicates(permissions.map(({ key }) => key))).toEqual([]);
      expect(services.service_types.map(({ name }) => name)).toEqual(
        expect.arrayContaining(provided.map(({ name }) => name)),
      );
      expect(services.categories).toEqual(expect.arrayContaining(categories));
      expect(categories).toContainEqual(primary);
      const grantable = groups.filter((group) => group.is_proprietary_group).map(({ name }) => name);
      expect(grantable).toEqual(expect.arrayContaining([...(local?.group_grants ?? [])]));
      expect(languageIds).toEqual(expect.arrayContaining(locales.map(({ locale }) => locale.code)));
    },
  );

  it("carry one version id each, and ids that belong together", () => {
    expect(duplicates(apps.map(({ version_id }) => String(version_id)))).toEqual([]);
    for (const { uuid, short_uuid } of apps) expect(short_uuid).toBe(uuid.replaceAll("-", "").slice(0, 10));
    const shortIds = new Map(apps.map(({ uuid, short_uuid }) => [uuid, short_uuid]));
    expect(new Set(shortIds.values()).size).toBe(shortIds.size);
  });

  it("point nowhere but to example.com and the vehicle itself", () => {
    const urls = apps
      .flatMap((app) => [app.icon_url, app.cloud_endpoint, app.package_url])
      .filter((url) => url !== null);
    for (const url of urls) expect(new URL(url).hostname).toMatch(/(^|\.)example\.com$|^127\.0\.0\.1$/);
    const mails = apps.flatMap((app) => [app.vendor.email, app.tech_email]).filter((mail) => mail !== null);
    for (const mail of mails) expect(mail).toMatch(/[@.]example\.com$/);
  });
});

describe("kinds of example apps", () => {
  it.each(["MEDIA", "NAVIGATION", "MESSAGING", "COMMUNICATION", "SYSTEM"])("category %s", (name) => {
    expect(apps.some(({ categories }) => categories.some((entry) => entry.name === name))).toBe(true);
  });

  it.each(["MEDIA", "NAVIGATION", "WEATHER"])("provider of the service %s", (name) => {
    expect(apps.some(({ services: provided }) => provided.some((service) => service.name === name))).toBe(true);
  });

  it.each(approvalStatuses)("approval status %s", (status) => {
    expect(apps.some(({ local }) => local?.approval_status === status)).toBe(true);
  });

  it("a cloud app with endpoint, transport and a CA certificate that can be read", () => {
    const [cloud] = apps.filter(({ platform, ca_certificate }) => platform === "CLOUD" && ca_certificate !== null);
    expect(cloud).toMatchObject({ cloud_transport_type: "WSS", transport_type: null });
    expect(new URL(cloud?.cloud_endpoint ?? "").protocol).toBe("wss:");
    const certificate = new X509Certificate(cloud?.ca_certificate ?? "");
    expect(certificate.ca && certificate.verify(certificate.publicKey)).toBe(true);
  });

  it("an accepted and a staged embedded app of the web engine", () => {
    const embedded = apps.filter(({ platform }) => platform === "EMBEDDED");
    for (const app of embedded) expect(app).toMatchObject({ transport_type: "webengine", cloud_transport_type: "WS" });
    for (const app of embedded) expect(app.entrypoint_path).toMatch(/\.html$/);
    expect(embedded.map(({ local }) => local?.approval_status)).toEqual(
      expect.arrayContaining(["ACCEPTED", "STAGING"]),
    );
  });

  it("remote control, vehicle data, widgets, background alerts, focus and encryption", () => {
    expect(apps.some((app) => requests(app, "MODULE"))).toBe(true);
    expect(apps.some((app) => requests(app, "PARAMETER"))).toBe(true);
    expect(apps.some((app) => app.can_manage_widgets)).toBe(true);
    expect(apps.some((app) => app.can_background_alert)).toBe(true);
    expect(apps.some((app) => app.can_steal_focus)).toBe(true);
    expect(apps.some((app) => app.local?.encryption_required)).toBe(true);
  });

  it("a blacklisted app, a refused one with its reason, and an administrator with a manual grant", () => {
    expect(apps.some(({ local }) => local?.is_blacklisted)).toBe(true);
    const refused = apps.filter(({ local }) => local?.approval_status === "LIMITED");
    for (const { local } of refused) expect(local?.denial_message).toMatch(/\w/);
    expect(apps.some(({ local }) => local?.is_administrator_app && (local.group_grants ?? []).length > 0)).toBe(true);
  });

  it("an app whose accepted version is followed by a pending one", () => {
    const waiting = newestFirst.find((app) => duplicates(apps.map(({ uuid }) => uuid)).includes(app.uuid));
    const statuses = newestFirst
      .filter(({ uuid }) => uuid === waiting?.uuid)
      .map(({ local }) => local?.approval_status);
    expect(statuses).toEqual(["PENDING", "ACCEPTED"]);
  });

  it.each(hybridPreferences)("hybrid preference %s", (preference) => {
    expect(apps.some(({ local }) => local?.hybrid_app_preference === preference)).toBe(true);
  });
});
