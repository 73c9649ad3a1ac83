import "server-only";
import type { FilterChoicesAnswer } from "@/lib/apps/applications/answer-schema";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationModel } from "@/models/application";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";

const countryNames = new Intl.DisplayNames("en", { type: "region" });

/**
 * Loads what the console's list of apps can be narrowed to where there are many choices: the known permissions and
 * service types, and the countries of the newest versions.
 *
 * @throws DatabaseUnavailable
 */
export async function loadFilterChoices(): Promise<FilterChoicesAnswer> {
  await requireDatabase();
  const [permissions, services, countries] = await Promise.all([
    PermissionModel.find({}, { _id: 0, name: 1, type: 1 }).sort({ _id: 1 }).lean(),
    ServiceTypeModel.find({}, { _id: 0, name: 1, displayName: 1 }).sort({ _id: 1 }).lean(),
    ApplicationModel.distinct("countries.iso", { isLatest: true }),
  ]);
  const byName = <T extends { readonly name: string }>(choices: readonly T[]) =>
    choices.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    permissions: byName(permissions.map(({ name, type }) => ({ name, type }))),
    services: byName(services.map(({ name, displayName }) => ({ name, display_name: displayName }))),
    countries: byName(countries.map((iso) => ({ iso, name: nameOfCountry(iso) }))),
  };
}

/** A directory may say anything; only two capital letters are a country. */
function nameOfCountry(iso: string): string {
  return /^[A-Z]{2}$/.test(iso) ? (countryNames.of(iso) ?? iso) : iso;
}
