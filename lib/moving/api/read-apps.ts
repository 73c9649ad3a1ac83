/** Apps out of the API of an sdl_server with all that was decided about them (`exchange.md` X7). */
import { X509Certificate } from "node:crypto";
import { answers, type ApplicationAnswer, readAnswer } from "@/lib/moving/api/answers";
import { type Asking, forAll, type Told } from "@/lib/moving/api/asking";
import { type Gathered, uniqueById } from "@/lib/moving/api/rows";
import { addCategories, type Entries, readEntries } from "@/lib/moving/api/table-entries";

/**
 * Adds all versions of all apps. The list has the latest of each; the others, among which is the accepted one of an app whose
 * latest waits, are asked for by their ids, which are below.
 *
 * @param now stands for times that are not told
 */
export async function readApps(asking: Asking, gathered: Gathered, now: Date, told: Told): Promise<void> {
  const latest = await readList(asking, {});
  const known = new Set(latest.map(({ id }) => id));
  const greatest = Math.max(0, ...known);
  const others = Array.from({ length: greatest }, (_, index) => index + 1).filter((id) => !known.has(id));
  const older = await forAll(others, (id) => readList(asking, { id: String(id) }), told);
  const applications = uniqueById([...older.flat(), ...latest]);
  const entries = await readEntries(
    asking,
    latest.map(({ uuid }) => uuid),
  );
  addCategories(applications, entries, gathered);
  for (const app of applications) addVersion(app, gathered);
  for (const app of latest) addFlags(app, entries, gathered, now);
  await forAll(applications, async ({ id: app_id }) => {
    const query = { app_id: String(app_id) };
    const data = await asking.ask("/applications/groups", { query });
    for (const { property_name, is_selected } of readAnswer(answers.groupsOfApp, data, "/applications/groups").groups) {
      if (is_selected) gathered.rows.app_function_groups.push({ app_id, property_name });
    }
  });
  await forAll(latest, ({ uuid }) => addContainer(asking, uuid, gathered, now));
}

async function readList({ ask }: Asking, query: Readonly<Record<string, string>>) {
  return readAnswer(answers.applications, await ask("/applications", { query }), "/applications").applications;
}

function addVersion(app: ApplicationAnswer, { rows }: Gathered): void {
  const { id: app_id, uuid: app_uuid, short_uuid: app_short_uuid, version_id = null, category_id = null } = app;
  const { size_compressed_bytes = null, size_decompressed_bytes = null } = app;
  const sizes = { size_compressed_bytes, size_decompressed_bytes };
  rows.app_info.push({ ...app, ...sizes, app_uuid, app_short_uuid, version_id, category_id });
  rows.app_categories.push(...app.categories.map(({ id: category_id }) => ({ app_id, category_id })));
  rows.app_countries.push(...app.countries.map(({ iso: country_iso }) => ({ app_id, country_iso })));
  rows.countries.push(...app.countries);
  rows.display_names.push(...app.display_names.map((display_text) => ({ app_id, display_text })));
  rows.app_permissions.push(
    ...app.permissions.map(({ key: permission_name, hmi_level }) => ({ app_id, permission_name, hmi_level })),
  );
  for (const { name: service_type_name, display_name, service_names, permissions } of app.services) {
    rows.service_types.push({ name: service_type_name, display_name: display_name ?? service_type_name });
    rows.app_service_types.push({ app_id, service_type_name });
    for (const service_name of service_names) {
      rows.app_service_type_names.push({ app_id, service_type_name, service_name });
    }
    for (const { name: permission_name, is_selected } of permissions) {
      if (is_selected) rows.app_service_type_permissions.push({ app_id, service_type_name, permission_name });
    }
  }
}

function addFlags(app: ApplicationAnswer, entries: Entries, { rows }: Gathered, now: Date): void {
  const { uuid: app_uuid, hybrid_app_preference: hybrid_preference } = app;
  const switches = {
    auto_approve: app.is_auto_approved_enabled,
    administrator_fg: app.is_administrator_app,
    allow_unknown_rpc_passthrough: app.allow_unknown_rpc_passthrough,
    blacklist: app.is_blacklisted,
  };
  for (const [key, isOn] of Object.entries(switches)) {
    const created_ts = (key === "blacklist" ? app.blacklisted_ts : null) ?? now;
    if (isOn) rows.app_oem_enablements.push({ app_uuid, key, created_ts });
  }
  // That server says BOTH of apps for which nothing is stored, too; tables only of those for which it is.
  const isTold = entries.get(app_uuid)?.some(({ hybrid_app_preference: told }) => told !== undefined) === true;
  if (hybrid_preference !== null && (isTold || hybrid_preference !== "BOTH")) {
    rows.app_hybrid_preference.push({ app_uuid, hybrid_preference });
  }
}

/** The container with an app's certificate and key; when it ends is in the certificate, which is told beside it. */
async function addContainer(asking: Asking, uuid: string, { rows, losses }: Gathered, now: Date): Promise<void> {
  const data = await asking.find("/applications/certificate/get", { appId: uuid });
  if (data === null) return;
  const { certificate } = readAnswer(answers.container, data, "/applications/certificate/get");
  const [app] = await readList(asking, { uuid });
  const expiration_ts = app?.certificate ? endOf(app.certificate) : null;
  if (expiration_ts === null) {
    const reason = "the other server does not tell when it ends: make a new one here";
    losses.push({ table: "app_certificates", what: `certificate of app ${uuid}`, reason });
  } else rows.app_certificates.push({ app_uuid: uuid, certificate, expiration_ts, created_ts: now });
}

/** When a certificate ends; null when it cannot be read. */
function endOf(pem: string): Date | null {
  try {
    return new Date(new X509Certificate(pem).validTo);
  } catch {
    return null;
  }
}
