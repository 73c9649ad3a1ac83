import { greatestInteger } from "@/lib/policy/head-unit/values";
import { isWholeText, whyNotWhole } from "@/lib/vocabulary/whole-text";

interface NamedCategory {
  readonly name: string | null;
}
interface NamedService {
  readonly name: string;
  readonly serviceNames: readonly string[];
  readonly selectedPermissions: readonly string[];
}

export interface EntryTexts<Category extends NamedCategory, Service extends NamedService> {
  readonly displayNames: readonly string[];
  readonly iconUrl: string | null;
  readonly cloudEndpoint: string | null;
  readonly cloudTransportType: string | null;
  readonly caCertificate: string | null;
  readonly categories: readonly Category[];
  readonly services: readonly Service[];
}

export interface Cut {
  /** The member, as the app directory and the API name it, e.g. `display_names`. */
  readonly field: string;
  readonly what: string;
}

export const cutMessage = "a field of an app was cut to what head units take";

/** Maximum bytes of a name and elements of a list (head unit rules, section 4). */
const maxBytes = 255;
const maxElements = 255;
/** Maximum bytes of a certificate or an icon's URL. */
const maxLongBytes = 65_535;

/**
 * Shortens names between characters and lists to their maximum; omits texts that cutting would corrupt (rule A30). Used
 * for the app directory, and by the compiler for data of earlier versions. Unchanged members stay the same objects.
 */
export function limitEntryTexts<Category extends NamedCategory, Service extends NamedService>(
  version: EntryTexts<Category, Service>,
): { readonly texts: EntryTexts<Category, Service>; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = [];
  const report = (field: string, what: string) => cuts.push({ field, what });
  const texts = {
    displayNames: limitNames("display_names", dropEmpty("display_names", version.displayNames, report), report),
    iconUrl: keepText("icon_url", version.iconUrl, maxLongBytes, report),
    cloudEndpoint: keepText("cloud_endpoint", version.cloudEndpoint, maxBytes, report),
    cloudTransportType: keepText("cloud_transport_type", version.cloudTransportType, maxBytes, report),
    caCertificate: keepText("ca_certificate", version.caCertificate, maxLongBytes, report),
    categories: limitCategories(version.categories, report),
    services: limitServices(version.services, report),
  };
  return { texts: cuts.length === 0 ? version : texts, cuts };
}

export function isFunctionId(id: number | null): id is number {
  return id !== null && Number.isInteger(id) && id >= 0 && id <= greatestInteger;
}

/** The text without lone surrogates and NULs, cut between characters to a length in bytes. */
export function cutText(text: string, max: number): string {
  const whole = text.toWellFormed().replaceAll("\0", "?");
  // A code unit has one to three bytes.
  if (whole.length * 3 <= max || Buffer.byteLength(whole) <= max) return whole;
  let bytes = 0;
  let end = 0;
  for (const character of whole.slice(0, max)) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    end += character.length;
  }
  return whole.slice(0, end);
}

type ReportCut = (field: string, what: string) => void;

/** Names that become equal are merged. */
function limitNames(field: string, names: readonly string[], report: ReportCut): readonly string[] {
  const cut = names.map((name) => cutText(name, maxBytes));
  const changed = cut.filter((name, index) => name !== names[index]).length;
  if (changed === 0) return limitList(field, names, report);
  report(field, `${counted(changed, "name")} cut to ${maxBytes} bytes of whole characters`);
  return limitList(field, [...new Set(cut)], report);
}

/** Head units refuse empty app names. */
function dropEmpty(field: string, names: readonly string[], report: ReportCut): readonly string[] {
  const filled = names.filter((name) => name !== "");
  if (filled.length < names.length) report(field, `${counted(names.length - filled.length, "empty name")} left out`);
  return filled;
}

function limitList<T>(field: string, list: readonly T[], report: ReportCut): readonly T[] {
  if (list.length <= maxElements) return list;
  report(field, `${maxElements} of ${list.length} elements kept`);
  return list.slice(0, maxElements);
}

/** For texts that cutting would corrupt. */
function keepText(field: string, text: string | null, max: number, report: ReportCut): string | null {
  if (text === null || isWithin(text, max)) return text;
  const why = text.isWellFormed() ? whyNotWhole(text) : "holds half a character";
  report(field, `left out: ${why ?? `longer than ${max} bytes`}`);
  return null;
}

function isWithin(text: string, max: number): boolean {
  return isWholeText(text) && (text.length * 3 <= max || Buffer.byteLength(text) <= max);
}

function limitCategories<Category extends NamedCategory>(
  categories: readonly Category[],
  report: ReportCut,
): readonly Category[] {
  const usable = categories.filter(({ name }) => name === null || isWithin(name, maxBytes));
  const left = categories.length - usable.length;
  if (left > 0)
    report("categories", `${counted(left, "category", "categories")} left out: name longer than a head unit takes`);
  return limitList("categories", usable, report);
}

function limitServices<Service extends NamedService>(
  services: readonly Service[],
  report: ReportCut,
): readonly Service[] {
  const usable = services.filter(({ name }) => isWithin(name, maxBytes));
  const left = services.length - usable.length;
  if (left > 0) report("services", `${counted(left, "service")} left out: name longer than a head unit takes`);
  return limitList("services", usable, report).map((service) => {
    const field = `services.${service.name}`;
    const serviceNames = limitNames(`${field}.service_names`, service.serviceNames, report);
    const selectedPermissions = limitList(`${field}.permissions`, service.selectedPermissions, report);
    return { ...service, serviceNames, selectedPermissions };
  });
}

function counted(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`;
}
