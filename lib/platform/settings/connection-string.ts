/** Options that break transactions or turn off write confirmation. In lower case, because the driver ignores case. */
const unusable: Readonly<Record<string, { readonly name: string; readonly isUnusable: (value: string) => boolean }>> = {
  readpreference: { name: "readPreference", isUnusable: (value) => value !== "primary" },
  readpreferencetags: { name: "readPreferenceTags", isUnusable: () => true },
  maxstalenessseconds: { name: "maxStalenessSeconds", isUnusable: () => true },
  readconcernlevel: { name: "readConcernLevel", isUnusable: (value) => !["local", "majority"].includes(value) },
  w: { name: "w", isUnusable: (value) => value === "0" },
};

export const usualDatabase = "policy_server";

/** The database that a connection string names; null: none. */
export function databaseOf(uri: string): string | null {
  const name = /^[^:]+:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
}

/** The options of a connection string, by their names in lower case. */
export function optionsOf(uri: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(uri.matchAll(/[?&](\w+)=([^&]*)/g), ([, name = "", value = ""]) => [name.toLowerCase(), value]),
  );
}

/** Removes options that break transactions or confirmed writes. `dropped`: their names, as the driver spells them. */
export function buildUsableConnection(uri: string): { readonly uri: string; readonly dropped: readonly string[] } {
  const [, base, query] = /^(mongodb(?:\+srv)?:\/\/[^?]*)\?(.*)$/s.exec(uri) ?? [];
  if (base === undefined || query === undefined) return { uri, dropped: [] };
  const dropped = new Set<string>();
  const kept = query.split("&").filter((option) => {
    const [name = "", value = ""] = option.split("=");
    const rule = Object.hasOwn(unusable, name.toLowerCase()) ? unusable[name.toLowerCase()] : undefined;
    if (rule?.isUnusable(value.toLowerCase()) !== true) return true;
    dropped.add(rule.name);
    return false;
  });
  return { uri: dropped.size === 0 ? uri : `${base}?${kept.join("&")}`, dropped: [...dropped] };
}
