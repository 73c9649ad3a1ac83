import { mix, pick, pickInteger, pickSome, type Random, seededRandom } from "@/bench/example-directory/random";
import type { DirectoryRecord } from "@/example-directory/catalog";
import { type Catalog, createCatalog } from "@/example-directory/catalog";
import type { DirectoryCategory, ExampleSeeds } from "@/example-directory/seeds";
import { countries } from "@/example-directory/routes";
import * as words from "@/bench/example-directory/words";
import { hmiTextLevels } from "@/lib/vocabulary/terms";

/** Generates each app from its number alone and stores nothing, however many there are. */
interface Generator {
  build(number: number): DirectoryRecord;
  numberOf(uuid: string): number | null;
}

interface GeneratorOptions {
  readonly seed: number;
  readonly categories: readonly DirectoryCategory[];
  readonly permissions: readonly string[];
  readonly serviceTypes: readonly string[];
}

/** The version number of a generated app is this plus its number. */
const firstGeneratedVersion = 100_000;
const firstDay = Date.UTC(2024, 0, 1);
const minuteMs = 60_000;
/** Odd, so multiplying by it (modulo 2^32) is reversible and keeps different numbers different. */
const factor = 0x9e3779b1;
const inverseFactor = 0x0e8b2f51;

/** The apps of the seed file, followed by generated ones. `size`: total number. */
export function createLargeCatalog(size: number, seed = 1): (seeds: ExampleSeeds) => Catalog {
  return (seeds) => {
    const written = createCatalog(seeds, size);
    const generator = createGenerator({
      seed,
      categories: seeds.categories,
      permissions: seeds.permissions.map(({ key }) => key),
      serviceTypes: seeds.serviceTypes.map(({ name }) => name),
    });
    const isGenerated = (id: number) => id >= written.size && id < size;
    const generated = (id: number | null) => (id !== null && isGenerated(id) ? id : null);
    return {
      size,
      at: (id) => (isGenerated(id) ? generator.build(id) : written.at(id)),
      idOf: (uuid) => written.idOf(uuid) ?? generated(generator.numberOf(uuid)),
      idOfVersion: (version) => written.idOfVersion(version) ?? generated(version - firstGeneratedVersion),
    };
  };
}

function createGenerator({ seed, ...lists }: GeneratorOptions): Generator {
  const mask = mix(seed + 1);
  return {
    build: (number) => buildRecord(number, uuidOf(number, mask), seededRandom(mix(number ^ mask)), lists),
    numberOf: (uuid) => {
      const number = Math.imul(Number.parseInt(uuid.slice(0, 8), 16) ^ mask, inverseFactor) >>> 0;
      return uuidOf(number, mask) === uuid ? number : null;
    },
  };
}

/** The first eight digits encode the number, so all short ids differ. */
function uuidOf(number: number, mask: number): string {
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0");
  const [start, middle, end] = [Math.imul(number, factor) ^ mask, mix(number + 1) ^ mask, mix(number + mask)];
  const [a, b, c] = [hex(start), hex(middle), hex(end)];
  const variant = pick(() => (end & 3) / 4, ["8", "9", "a", "b"]);
  return `${a}-${b.slice(0, 4)}-4${b.slice(4, 7)}-${variant}${c.slice(0, 3)}-${c.slice(3)}${b.slice(1)}`;
}

function buildRecord(
  number: number,
  uuid: string,
  random: Random,
  { categories, permissions, serviceTypes }: Omit<GeneratorOptions, "seed">,
): DirectoryRecord {
  const category = pick(random, categories);
  const noun = pick(random, words.nounsByCategory[category.name] ?? words.nouns);
  const name = `${pick(random, words.adjectives)} ${noun} ${number}`;
  const id = name.toLowerCase().replaceAll(" ", "");
  const created = new Date(firstDay + pickInteger(random, 0, 1_000_000) * minuteMs).toISOString();
  return {
    uuid,
    short_uuid: uuid.replaceAll("-", "").slice(0, 10),
    name,
    ...buildPlatform(id, random),
    platform_app_id: `com.example.${id}`,
    status: "PRODUCTION",
    version_id: firstGeneratedVersion + number,
    developer_version: [pickInteger(random, 1, 9), pickInteger(random, 0, 20), pickInteger(random, 0, 9)].join("."),
    min_rpc_version: pick(random, ["4.5.0", "5.0.0", "6.0.0", "7.0.0"]),
    min_protocol_version: pick(random, ["4.0.0", "5.0.0"]),
    can_background_alert: random() < 0.3,
    can_steal_focus: random() < 0.2,
    can_manage_widgets: random() < 0.1,
    default_hmi_level: random() < 0.8 ? "HMI_NONE" : pick(random, hmiTextLevels),
    // No icon URL would resolve, so pages show initials.
    icon_url: null,
    tech_email: random() < 0.7 ? `support@${id}.example.com` : null,
    tech_phone: random() < 0.3 ? `+1 313 555 0${pickInteger(random, 100, 199)}` : null,
    category,
    categories: random() < 0.9 ? [category] : pickSome(random, categories, 2),
    vendor: buildVendor(random),
    countries: pickSome(random, countries, pickInteger(random, 1, 8)),
    display_names: random() < 0.5 ? [name] : [name, noun],
    permissions: pickKeys(category.name, permissions, random).map((key) => ({
      key,
      hmi_level: pick(random, hmiTextLevels),
    })),
    services: serviceTypes.includes(category.name) ? [{ name: category.name, service_names: [name] }] : [],
    locales: [
      {
        locale: { code: "en-us" },
        name,
        vr_names: [name, noun],
        tts_chunks: [{ chunk_type: "TEXT", chunk_text: name }],
      },
    ],
    description: `${name} is a made-up app of the category ${category.display_name}.`,
    created_ts: created,
    updated_ts: created,
    deleted_ts: null,
    blacklisted_ts: null,
  };
}

/** Embedded apps have no package, because nothing could be downloaded from such URLs. */
function buildPlatform(id: string, random: Random) {
  const draw = random();
  const none = { cloud_endpoint: null, cloud_transport_type: null, ca_certificate: null, package_url: null };
  const elsewhere = { transport_type: null, entrypoint_path: null, icon_path: null };
  if (draw < 0.5) return { platform: "ANDROID", ...none, ...elsewhere };
  if (draw < 0.85) return { platform: "IOS", ...none, ...elsewhere };
  if (draw < 0.95) {
    const cloud = { cloud_endpoint: `wss://${id}.example.com:8443/sdl`, cloud_transport_type: "WSS" };
    return { platform: "CLOUD", ...none, ...elsewhere, ...cloud };
  }
  return {
    platform: "EMBEDDED",
    ...none,
    transport_type: "webengine",
    entrypoint_path: "index.html",
    icon_path: "icon.png",
  };
}

function buildVendor(random: Random) {
  const word = pick(random, words.adjectives);
  const trade = pick(random, words.trades);
  const name = `${word} ${trade} ${pick(random, words.companyForms)}`;
  return { name, email: `partners@${word}-${trade}.example.com`.toLowerCase() };
}

function pickKeys(category: string, permissions: readonly string[], random: Random): string[] {
  const typical = (words.typicalPermissions[category] ?? []).filter((key) => permissions.includes(key));
  const keys = [...typical, ...pickSome(random, permissions, pickInteger(random, 2, 8))];
  return [...new Set(keys)].toSorted();
}
