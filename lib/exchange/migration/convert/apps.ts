/** `exchange.md` X7. Keeps ids, decisions and times. */
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { blacklistChanges, noFlags } from "@/lib/apps/applications/store-version";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { losesOf, type Lose } from "@/lib/exchange/migration/convert/limits";
import { nameGroups } from "@/lib/exchange/migration/convert/names";
import type { ConversionReport, SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";
import { derivedMembers } from "@/models/application";
import { byCodeUnit, distinct, groupBy } from "@/lib/vocabulary/order";
import { hmiTextLevels, hybridPreferences } from "@/lib/vocabulary/terms";

const undecided = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: false,
  encryptionRequired: false,
};

type AppRow = SdlRow<"app_info">;

/**
 * An sdl_server decides by row id, and rows may share a number or have none; here it is unique. The first row
 * (ascending ids) keeps it; others get their negative id, which no app directory uses.
 */
function numberVersions(rows: readonly AppRow[]): ReadonlyMap<number, number | null> {
  const first = new Map<string, number>();
  return new Map(
    rows.map(({ id, app_uuid, version_id }) => {
      const key = `${app_uuid}:${version_id ?? ""}`;
      if (first.has(key)) return [id, -id];
      first.set(key, id);
      return [id, version_id];
    }),
  );
}

const entryMembers: Readonly<Record<string, string>> = {
  display_names: "nicknames",
  cloud_endpoint: "endpoint",
  ca_certificate: "certificate",
  categories: "AppHMIType",
};

/** The place of a shortened field in an app's entry. */
const entryMember = (field: string): string =>
  entryMembers[field] ?? field.replace(/^services/, "app_services").replace(/\.permissions$/, ".handled_rpcs");

/** Shortens what head units do not accept and reports it. */
export function convertApps(data: SdlData, report: ConversionReport) {
  const of = partsOf(data);
  const groupNameOf = nameGroups(data);
  const rows = data.app_info.toSorted((a, b) => a.id - b.id);
  const newest = new Map(rows.map(({ app_uuid, id }) => [app_uuid, id]));
  const numbers = numberVersions(rows);
  const displayNames = new Map(data.service_types.map(({ name, display_name }) => [name, display_name]));
  reportOrphans(data, report);
  return rows.flatMap((row) => {
    const what = `app ${row.app_uuid}, version ${row.version_id ?? "without a number"} (record ${row.id})`;
    const lose = losesOf(report, "app_info", what);
    const versionId = numbers.get(row.id) ?? null;
    if (versionId !== row.version_id) {
      const shared =
        row.version_id === null
          ? "Like an older version it has no number"
          : "It shares its number with an older version";
      lose(`${shared}: here it has the number ${versionId ?? 0}`, "version_id", { isUnused: true });
    }
    const record = directoryApplication.safeParse({ ...toDirectoryRecord(row, of), ...repair(row, lose) });
    if (!record.success) {
      const [issue] = record.error.issues;
      lose(`${issue?.path.join(".") ?? "it"} cannot be used: ${issue?.message ?? ""}`);
      return [];
    }
    const version = buildApplicationVersion(record.data, {
      defaults: undecided,
      serviceTypes: [],
      now: row.created_ts,
    });
    const granted = of.servicePermissions(row.id);
    const services = version.services.map((service) => ({
      ...service,
      displayName: displayNames.get(service.name) ?? service.name,
      selectedPermissions: granted
        .filter(({ service_type_name }) => service_type_name === service.name)
        .map(({ permission_name }) => permission_name)
        .sort(byCodeUnit),
    }));
    for (const { field, what: cut } of version.cuts) lose(`${field}: ${cut}`, entryMember(field));
    const decided = {
      ...version,
      versionId,
      services,
      approvalStatus: row.approval_status,
      denialMessage: row.denial_message,
      encryptionRequired: row.encryption_required,
      groupGrants: of
        .grants(row.id)
        .map(({ property_name }) => groupNameOf(property_name))
        .sort(byCodeUnit),
      sizeCompressedBytes: row.size_compressed_bytes,
      sizeDecompressedBytes: row.size_decompressed_bytes,
    };
    return [{ ...decided, ...derivedMembers(decided), _id: row.id, isLatest: newest.get(row.app_uuid) === row.id }];
  });
}

/** Migrates a version even if its row lacks required data, because it may be the one that vehicles get. */
function repair(row: AppRow, lose: Lose) {
  const texts = { name: row.app_uuid, platform: "UNKNOWN", status: "UNKNOWN" };
  const missing = Object.entries(texts).filter(([name]) => (row[name] ?? "") === "");
  for (const [name, text] of missing) lose(`it has no ${name}: ${text} instead`, name);
  const level = row["default_hmi_level"];
  const isKnown = hmiTextLevels.some((one) => one === level);
  if (!isKnown) lose(`there is no HMI level ${String(level)}: HMI_NONE instead`, "default_hmi");
  return { ...Object.fromEntries(missing), ...(!isKnown && { default_hmi_level: "HMI_NONE" }) };
}

function partsOf(data: SdlData) {
  const byApp = <T extends { readonly app_id: number }>(rows: readonly T[]) => groupBy(rows, ({ app_id }) => app_id);
  return {
    categories: byApp(data.app_categories),
    categoryOf: new Map(data.categories.map((category) => [category.id, category])),
    countries: byApp(data.app_countries),
    countryOf: new Map(data.countries.map(({ iso, name }) => [iso.trim(), name])),
    permissions: byApp(data.app_permissions),
    displayNames: byApp(data.display_names),
    locales: byApp(data.app_locale),
    ttsChunks: groupBy(data.app_locale_ttsname, ({ app_locale_id }) => app_locale_id),
    services: byApp(data.app_service_types),
    serviceNames: byApp(data.app_service_type_names),
    servicePermissions: byApp(data.app_service_type_permissions),
    grants: byApp(data.app_function_groups),
  };
}
type Parts = ReturnType<typeof partsOf>;

/** In the form of the app directory. */
function toDirectoryRecord(row: SdlRow<"app_info">, of: Parts): object {
  const { id } = row;
  return {
    ...row,
    uuid: row.app_uuid,
    short_uuid: row.app_short_uuid,
    vendor: { name: row.vendor_name, email: row.vendor_email },
    category: row.category_id === null ? null : of.categoryOf.get(row.category_id),
    categories: of.categories(id).flatMap(({ category_id }) => of.categoryOf.get(category_id) ?? []),
    countries: of
      .countries(id)
      .map(({ country_iso: iso }) => ({ iso: iso.trim(), name: of.countryOf.get(iso.trim()) })),
    permissions: of.permissions(id).map(({ permission_name: key, hmi_level }) => ({ key, hmi_level })),
    display_names: of.displayNames(id).map(({ display_text }) => display_text),
    services: of.services(id).map(({ service_type_name: name }) => ({
      name,
      service_names: of
        .serviceNames(id)
        .filter(({ service_type_name }) => service_type_name === name)
        .map(({ service_name }) => service_name),
    })),
    locales: of.locales(id).map(({ id: localeId, locale: code, name, vr_names }) => ({
      locale: { code },
      name,
      vr_names,
      tts_chunks: of.ttsChunks(localeId),
    })),
  };
}

/** Names and permissions of services that the app does not provide. */
function reportOrphans(data: SdlData, report: ConversionReport): void {
  const provided = new Set(data.app_service_types.map((row) => `${row.app_id} ${row.service_type_name}`));
  for (const table of ["app_service_type_names", "app_service_type_permissions"] as const) {
    for (const { app_id, service_type_name: name } of data[table]) {
      if (provided.has(`${app_id} ${name}`)) continue;
      const lose = losesOf(report, table, `app record ${app_id}`);
      lose(`it does not provide the service ${name}`, undefined, { isUnused: true });
    }
  }
}

const enablements = {
  auto_approve: "isAutoApprovedEnabled",
  administrator_fg: "isAdministratorApp",
  allow_unknown_rpc_passthrough: "allowUnknownRpcPassthrough",
  blacklist: "isBlacklisted",
} as const;
const isEnablement = (key: string): key is keyof typeof enablements => Object.hasOwn(enablements, key);

/** Flags belong to apps, not versions. Includes apps without a known version, so that blocked apps stay blocked. */
export function convertFlags(data: SdlData, revision: number, report: ConversionReport) {
  const spelled = new Map(data.app_info.map(({ app_uuid }) => [app_uuid.toLowerCase(), app_uuid]));
  const nameOf = (uuid: string) => spelled.get(uuid.toLowerCase()) ?? uuid;
  const flags = new Map<string, ReturnType<typeof flagsOfNobody>>();
  const flagsOf = (uuid: string) => {
    const name = nameOf(uuid);
    const found = flags.get(name) ?? flagsOfNobody(name, revision);
    flags.set(name, found);
    return found;
  };
  for (const uuid of distinct(data.app_info.map(({ app_uuid }) => app_uuid))) flagsOf(uuid);
  for (const { app_uuid: uuid, key, created_ts } of data.app_oem_enablements) {
    if (!isEnablement(key)) {
      losesOf(report, "app_oem_enablements", `app ${uuid}`)(`there is no switch ${key}`);
      continue;
    }
    const app = flagsOf(uuid);
    Object.assign(app, key === "blacklist" ? blacklistChanges(true, created_ts) : { [enablements[key]]: true });
  }
  for (const { app_uuid: uuid, hybrid_preference: wanted } of data.app_hybrid_preference) {
    const preference = hybridPreferences.find((one) => one === wanted.toUpperCase());
    if (preference === undefined) {
      losesOf(report, "app_hybrid_preference", `app ${uuid}`)(`there is no preference ${wanted}`);
    } else Object.assign(flagsOf(uuid), { hybridAppPreference: preference });
  }
  return Array.from(flags.values(), (app, index) => ({ ...app, _id: index + 1 }));
}

const flagsOfNobody = (uuid: string, revision: number) => ({
  ...{ uuid, uuidKey: uuid.toLowerCase() },
  ...noFlags,
  revision,
});

/** Containers of apps. Their passphrase stays the same. */
export function convertCertificates(data: SdlData) {
  return data.app_certificates.map((row) => ({
    _id: row.app_uuid,
    container: row.certificate.replaceAll(/\s/g, ""),
    expirationTs: row.expiration_ts,
    createdAt: row.created_ts,
  }));
}
