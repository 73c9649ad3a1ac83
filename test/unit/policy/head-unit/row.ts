import type { HeadUnitBuild, HeadUnitSeverity } from "@/lib/policy/head-unit/head-unit-check";
import { manyOf, type Change } from "@/test/support/valid-table";

export type Path = Change["path"];

export interface Row {
  readonly rule: string;
  readonly about: string;
  /** A change that a head unit takes as it is; null: the valid table itself. */
  readonly accepted: Change | null;
  readonly reported: Change;
  readonly severity: HeadUnitSeverity;
  readonly build: HeadUnitBuild;
  readonly path: string;
}

/** Deviations from the usual case: a refusal by both builds, found where the change was made, or `below` it. */
type Deviation = Partial<Pick<Row, "build" | "severity" | "path">> & { readonly below?: string };

export const put = (path: Path, value: unknown): Change => ({ path, value });

export const written = (path: Path) =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);

export function rowsOf(section: string) {
  const made = (
    rule: string,
    about: string,
    changes: Pick<Row, "accepted" | "reported">,
    { below = "", ...deviation }: Deviation,
  ): Row => ({
    ...changes,
    rule: [section, rule].filter((name) => name !== "").join(": "),
    about,
    severity: "refused",
    build: "both",
    path: written(changes.reported.path) + below,
    ...deviation,
  });
  const only = (rule: string, about: string, path: Path, bad: unknown, deviation: Deviation = {}) =>
    made(rule, about, { accepted: null, reported: put(path, bad) }, deviation);
  return {
    only,
    row: (rule: string, about: string, path: Path, good: unknown, bad: unknown, deviation: Deviation = {}) =>
      made(rule, about, { accepted: put(path, good), reported: put(path, bad) }, deviation),
    missing: (rule: string, path: Path, deviation: Deviation = {}) =>
      made(rule, `missing ${written(path)}`, { accepted: null, reported: { path } }, deviation),
    /** Null where section 9 does not allow it; without the member the table is acceptable. */
    nullAt: (rule: string, path: Path, deviation: Deviation = {}) =>
      only(rule, "null (section 9)", path, null, deviation),
  };
}

export const { missing, nullAt, only, row } = rowsOf("");

export const external = { build: "external" } as const;
export const regular = { build: "regular" } as const;
export const danger = { severity: "danger" } as const;
export const corrected = { severity: "corrected" } as const;
export const first = { below: "[0]" } as const;
export const second = { below: "[1]" } as const;

/** 128 letters of two bytes: 256 bytes, though 128 characters. */
export const bytes256 = "ä".repeat(128);
export const bytes255 = `${"ä".repeat(127)}a`;
export const words = (count: number, word = "x") => Array.from({ length: count }, (_, index) => `${word}${index}`);

export const policies = (...steps: Path): Path => ["app_policies", ...steps];
export const app = (...steps: Path): Path => ["app_policies", "11111111aa", ...steps];
export const device = (...steps: Path): Path => ["app_policies", "device", ...steps];
export const group = (...steps: Path): Path => ["functional_groupings", "Location", ...steps];
export const rpc = (...steps: Path): Path => group("rpcs", "GetVehicleData", ...steps);
export const config = (...steps: Path): Path => ["module_config", ...steps];
export const messages = (...steps: Path): Path => ["consumer_friendly_messages", ...steps];
export const english = (...steps: Path): Path => messages("messages", "Location", "languages", "en-us", ...steps);
export const item = (...steps: Path): Path => ["vehicle_data", "schema_items", 1, ...steps];

export const languages = (...steps: Path): Path => messages("messages", "Location", "languages", ...steps);
export const spoken = { label: "x" };
export const codes = (count: number) => manyOf(count, () => ({ languages: { "en-us": spoken } }));
export const tongues = (count: number) => ({ "en-us": spoken, ...manyOf(count - 1, () => spoken) });
export const withItems = (items: readonly unknown[]) => ({ schema_version: "1", schema_items: items });
export const itemsNamed = (count: number) =>
  ["cabinScent", ...words(count - 1)].map((name) => ({ name, key: name, type: "String", mandatory: false }));

export const fullEntry = {
  keep_context: true,
  steal_focus: false,
  priority: "NONE",
  default_hmi: "NONE",
  groups: ["Base"],
};

export const fixedEntries = { default: fullEntry, pre_DataConsent: fullEntry, device: fullEntry };
