/** Builds of SDL Core: `regular` = PROPRIETARY and HTTP, `external` = EXTERNAL_PROPRIETARY. */
export const carBuilds = ["regular", "external"] as const;
export type CarBuild = (typeof carBuilds)[number];

export function chosenBuilds({ headUnits }: { readonly headUnits: CarBuild | "both" }): readonly CarBuild[] {
  return headUnits === "both" ? carBuilds : [headUnits];
}

export function chosenCars(settings: { readonly headUnits: CarBuild | "both"; readonly oldestHeadUnit: CoreVersion }): {
  readonly builds: readonly CarBuild[];
  readonly oldest: CoreVersion;
} {
  return { builds: chosenBuilds(settings), oldest: settings.oldestHeadUnit };
}

/** Empty if it applies to all builds. */
export function describeOnly(builds: readonly CarBuild[]): string {
  const [only, ...others] = builds;
  return only === undefined || others.length > 0 ? "" : `in ${only} head units only`;
}

/** `head-unit-rules.md` section 16 */
export const conditionRules = ["C16", "C17", "C18", "C19", "C20", "C21", "C22"] as const;
export type ConditionRule = (typeof conditionRules)[number];

export type ByBuild<T> = Readonly<Record<CarBuild, T>>;

/** Oldest first; each covers those up to the next one. */
export const coreVersions = ["4.5", "5.1", "6.1", "7.1", "8.2"] as const;
export type CoreVersion = (typeof coreVersions)[number];
/** Newest first. */
export const coreChoices: readonly { readonly value: CoreVersion; readonly label: string }[] = [
  { value: "8.2", label: "Core 8 and newer" },
  { value: "7.1", label: "Core 7" },
  { value: "6.1", label: "Core 6" },
  { value: "5.1", label: "Core 5" },
  { value: "4.5", label: "Core 4.5 and older" },
];
export const newestCore = "8.2" satisfies CoreVersion;
export const oldestCore = "4.5" satisfies CoreVersion;
