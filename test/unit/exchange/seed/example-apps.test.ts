import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import services from "@/seed/app-services.json";
import exampleApps from "@/seed/example-apps.json";
import { groups } from "@/seed/functional-groups.json";
import { languages } from "@/seed/languages.json";
import permissions from "@/seed/permissions.json";

const apps: any[] = exampleApps;
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const keys = permissions.map(({ key }) => key);
const languageIds = languages.map(({ id }) => id);
const grantable = namesOf(groups.filter((group) => group.is_proprietary_group));

describe("references of the example apps", () => {
  it.each(apps.map((app) => ({ ...app, title: `${app.name} ${app.developer_version}` })))(
    "$title names only permissions, services, categories, groups and languages of the seed",
    (app) => {
      const asked: string[] = app.permissions.map(({ key }: any) => key);
      expect(keys).toEqual(expect.arrayContaining(asked));
      expect(new Set(asked).size).toBe(asked.length);
      expect(namesOf(services.service_types)).toEqual(expect.arrayContaining(namesOf(app.services)));
      expect(services.categories).toEqual(expect.arrayContaining(app.categories));
      expect(app.categories).toContainEqual(app.category);
      expect(grantable).toEqual(expect.arrayContaining(app.local?.group_grants ?? []));
      expect(languageIds).toEqual(expect.arrayContaining(app.locales.map(({ locale }: any) => locale.code)));
    },
  );

  it("carry one version id each, and ids that belong together", () => {
    expect(new Set(apps.map(({ version_id }) => version_id)).size).toBe(apps.length);
    const shortIds = new Map(apps.map(({ uuid, short_uuid }) => [uuid, short_uuid]));
    for (const [uuid, shortId] of shortIds) expect(shortId).toBe(deriveShortUuid(uuid));
    expect(new Set(shortIds.values()).size).toBe(shortIds.size);
  });

  it("point nowhere but to example.com and the vehicle itself", () => {
    const urls = apps.flatMap((app) => [app.icon_url, app.cloud_endpoint, app.package_url]).filter(Boolean);
    for (const url of urls) expect(new URL(url).hostname).toMatch(/(^|\.)example\.com$|^127\.0\.0\.1$/);
    const mails = apps.flatMap((app) => [app.vendor.email, app.tech_email]).filter(Boolean);
    for (const mail of mails) expect(mail).toMatch(/[@.]example\.com$/);
  });

  it("have CA certificates that can be read", () => {
    const texts = apps.flatMap(({ ca_certificate }) => ca_certificate ?? []);
    expect(texts).not.toEqual([]);
    for (const text of texts) {
      const certificate = new X509Certificate(text);
      expect(certificate.ca && certificate.verify(certificate.publicKey)).toBe(true);
    }
  });
});
