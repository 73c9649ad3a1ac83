import { Interner } from "@/lib/policy/documents/interner";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";

type Lists = Pick<SnapshotAppVersion, "categories" | "permissions" | "services" | "groupGrants">;
type StoredVersion = Omit<SnapshotAppVersion, keyof Lists> & { readonly [member in keyof Lists]: number };
/** For most apps, one version is both. */
type StoredApp = Omit<SnapshotApp, "accepted" | "staged"> & {
  readonly accepted: StoredVersion | null;
  readonly staged: StoredVersion | null | "accepted";
};

/** Some apps, and the lists they refer to that no earlier portion contained. */
export interface AppPortion {
  readonly lists: readonly (readonly unknown[])[];
  readonly apps: readonly StoredApp[];
}

/**
 * Equal lists are the same copy and written once: this halves the file and the time to read it. The last portion has
 * the rest, possibly nothing.
 */
export function* storeApps(apps: Iterable<SnapshotApp>, perPortion: number): Generator<AppPortion> {
  const numbers = new Map<readonly unknown[], number>();
  let lists: (readonly unknown[])[] = [];
  const numberOf = (list: readonly unknown[]): number => {
    const known = numbers.get(list);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(list, number);
    lists.push(list);
    return number;
  };
  const store = (version: SnapshotAppVersion | null): StoredVersion | null =>
    version && {
      ...version,
      categories: numberOf(version.categories),
      permissions: numberOf(version.permissions),
      services: numberOf(version.services),
      groupGrants: numberOf(version.groupGrants),
    };
  let portion: StoredApp[] = [];
  for (const app of apps) {
    const { accepted, staged } = app;
    const isBoth = staged !== null && staged === accepted;
    portion.push({ ...app, accepted: store(accepted), staged: isBoth ? "accepted" : store(staged) });
    if (portion.length < perPortion) continue;
    yield { lists, apps: portion };
    [lists, portion] = [[], []];
  }
  yield { lists, apps: portion };
}

export function appReader(): (portion: AppPortion) => SnapshotApp[] {
  const texts = new Interner();
  const lists: (readonly unknown[])[] = [];
  const text = (value: string | null) => value && texts.text(value);
  const listOf = (number: number): readonly never[] => {
    const list = lists[number];
    if (list === undefined) throw new Error("a list is missing");
    // The number refers to the list that was written for the same member.
    return list as readonly never[];
  };
  const restore = (version: StoredVersion | null): SnapshotAppVersion | null =>
    version && {
      ...version,
      cloudTransportType: text(version.cloudTransportType),
      caCertificate: text(version.caCertificate),
      categories: listOf(version.categories),
      permissions: listOf(version.permissions),
      services: listOf(version.services),
      groupGrants: listOf(version.groupGrants),
    };
  return (portion) => {
    lists.push(...portion.lists);
    return portion.apps.map((app) => {
      const accepted = restore(app.accepted);
      return { ...app, accepted, staged: app.staged === "accepted" ? accepted : restore(app.staged) };
    });
  };
}
