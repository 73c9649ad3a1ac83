import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { hmiTextLevels } from "@/lib/vocabulary/terms";

/*
 * Generated apps that share what real ones share: names of permissions, groups and service types. Their own data (names,
 * icon, permissions, services, grants) differs from app to app, and is the same in every run: identical apps would compress
 * ten times better than real ones.
 */

interface Sample {
  readonly [member: string]: unknown;
  readonly permissions?: readonly { readonly key: string }[];
}

const samples = readSeed("example-apps") as Sample[];
const permissionKeys = (readSeed("permissions") as { key: string }[]).map(({ key }) => key);
const grantable = (
  readSeed("functional-groups") as { groups: { name: string; is_proprietary_group: boolean }[] }
).groups
  .filter(({ is_proprietary_group }) => is_proprietary_group)
  .map(({ name }) => name);

const syllables =
  "al ber cor dun el fen gar hol is jun kel lor mar nev or pal quin ros sil tav ul ver win yor zan".split(" ");
const kinds = ["Radio", "Maps", "Weather", "Parking", "Podcasts", "Charge", "News", "Calendar", "Remote", "Car App"];
const serviceTypes = ["MEDIA", "WEATHER", "NAVIGATION"];

/** The id of the app with this number. As random as real ones, so that ids compress as badly. */
export function distinctUuid(at: number): string {
  const hex = hashOf(at, "uuid").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** The directory record of the app with this number. */
export function distinctRecord(at: number): Record<string, unknown> {
  const { local: _, short_uuid: __, ...sample }: Sample = samples[at % samples.length] ?? {};
  const bytes = hashOf(at, "app");
  const word = [...bytes.subarray(0, 3)].map((byte) => syllables[byte % syllables.length]).join("");
  const brand = word.charAt(0).toUpperCase() + word.slice(1);
  const name = `${brand} ${kinds[at % kinds.length]}`;
  const usual = new Set(sample.permissions?.map(({ key }) => key));
  const picked = permissionKeys.filter((key, place) => (bytes[16 + place] ?? 255) < (usual.has(key) ? 192 : 12));
  return {
    ...sample,
    uuid: distinctUuid(at),
    name,
    display_names: at % 3 === 0 ? [name, brand] : [name],
    icon_url: `https://cdn.example.com/icons/${bytes.subarray(4, 12).toString("hex")}.png`,
    cloud_endpoint: sample["cloud_endpoint"] ? `wss://${brand.toLowerCase()}.example.com:8443/sdl` : null,
    ca_certificate: sample["ca_certificate"] ? hashOf(at, "certificate", 900).toString("base64") : null,
    permissions: picked.map((key, place) => ({
      key,
      hmi_level: hmiTextLevels[(bytes[place] ?? 0) % hmiTextLevels.length],
    })),
    services: serviceTypes
      .filter((_type, place) => (bytes[12 + place] ?? 0) < 48)
      .map((type) => ({ name: type, service_names: [name] })),
  };
}

/** The proprietary groups that an administrator granted to the app with this number. */
export function distinctGrants(at: number): string[] {
  return grantable.filter((_name, place) => (hashOf(at, "grants")[place] ?? 0) < 64);
}

function hashOf(at: number, what: string, outputLength = 256): Buffer {
  return createHash("shake256", { outputLength }).update(`${what} ${at}`).digest();
}

function readSeed(file: string): unknown {
  return JSON.parse(readFileSync(path.join("seed", `${file}.json`), "utf8"));
}
