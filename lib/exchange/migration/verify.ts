import "server-only";
import { buildPkcs12 } from "@/lib/certificates/worker/pkcs12";
import { requestTable } from "@/lib/exchange/migration/request-table";
import { type AppChange, compareRights } from "@/lib/exchange/migration/app-rights";
import { compareTables, type Difference, type Knowledge, pathText } from "@/lib/exchange/migration/compare";
import { showModuleCertificate } from "@/lib/exchange/migration/module-certificate";
import type { Loss } from "@/lib/exchange/migration/convert/tables";
import { buildAnswer } from "@/lib/policy/answer/answer";
import { readPolicyTable, requiredMembers } from "@/lib/policy/answer/policy-request";
import { isObject } from "@/lib/policy/head-unit/values";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { readAnswerData } from "@/lib/policy/preview";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Settings } from "@/lib/platform/settings";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { environments } from "@/lib/vocabulary/terms";
import { withoutEndSlashes } from "@/lib/platform/http/api-path";

/** Head units accept at most 1,000 entries. */
const perBatch = 500;
/** Vehicles use long or short app ids. */
const editions = ["long", "short"] as const;

/** Names of tables are like `production, long ids`. */
type InTables<T> = T & { readonly tables: readonly string[] };
/** `app` may also be `default`, `device` or `pre_DataConsent`. */
type ChangedApp = Omit<AppChange, "id"> & { readonly app: string };
/** The path names apps by uuid, even for short ids. Both values are JSON, shortened if long, or `absent`. */
type MemberDifference = Record<"path" | "there" | "here", string> & Pick<Difference, "reason">;

export interface Verification {
  /** Every difference has a known reason. */
  readonly holds: boolean;
  readonly sentence: string;
  readonly apps: number;
  readonly tables: number;
  readonly changed: readonly InTables<ChangedApp>[];
  readonly differences: readonly InTables<MemberDifference>[];
}

interface VerifyOptions {
  /** URL without a path. */
  readonly base: string;
  readonly settings: Settings;
  /** Language codes that head units know. */
  readonly languages: ReadonlySet<string>;
  /** What was not migrated. */
  readonly losses: readonly Loss[];
}

/**
 * Compares what vehicles of both builds let each app do, and every other member, for all environments and ids
 * (`exchange.md` X8). Changes neither server. Throws Error with a sentence if the answers are no policy tables.
 */
export async function verifyAgainst({ base, settings, ...known }: VerifyOptions): Promise<Verification> {
  const snapshot = await createSnapshotLoader().load();
  const options = await buildPolicyOptions(snapshot, settings, ({ certificate, privateKey, passphrase }) =>
    Promise.resolve(buildPkcs12(certificate, privateKey, passphrase)),
  );
  const { certificateGeneration: generation, publicBaseUrl } = settings;
  const passphrase = generation.enabled ? generation.passphrase : null;
  const findings = new Findings();
  for (const environment of environments) {
    const policy = await compilePolicy(snapshot, environment, options, () => undefined);
    for (const edition of editions) {
      const ids = idsOf(snapshot, edition);
      for (let from = 0; from === 0 || from < ids.length; from += perBatch) {
        const request = requestFor(ids.slice(from, from + perBatch), edition === "long");
        const url = `${withoutEndSlashes(base)}/api/v1/${environment}/policy`;
        const theirs = withShownCertificate(await requestTable(url, request), passphrase);
        const [{ policy_table: table }] = readAnswerData(buildAnswer(policy, readPolicyTable(request), ""));
        const ours = withShownCertificate(table, passphrase);
        const knowledge = { ...known, environment, publicBaseUrl, ...appKnowledge(snapshot, edition) };
        findings.add(`${environment}, ${edition} ids`, theirs, ours, knowledge);
      }
    }
  }
  return findings.toVerification(snapshot.apps.size);
}

type Edition = (typeof editions)[number];

function idsOf({ apps }: PolicySnapshot, edition: Edition): readonly string[] {
  const known = [...listApps(apps)];
  const ids =
    edition === "long"
      ? known.map(({ uuid }) => uuid)
      : known.flatMap(({ shortIds }) => shortIds.map((one) => one.shortId));
  return distinct(ids)
    .filter((id) => !fixedEntryNames.some((name) => name === id))
    .toSorted(byCodeUnit);
}

function appKnowledge({ apps }: PolicySnapshot, edition: Edition) {
  const find = (id: string) => {
    const key = id.toLowerCase();
    if (edition === "short") return apps.byShortId(key);
    return apps.byUuid(key) ?? [];
  };
  const appsOf = (id: string) => [find(id)].flat();
  return {
    uuidsOf: (id: string) => appsOf(id).map(({ uuid }) => uuid),
    isBlockedWithoutVersion: (id: string) =>
      appsOf(id).some((app) => app.isBlacklisted && app.shortIds.every(({ newestRecordId }) => newestRecordId === 0)),
  };
}

/** Merges equal results of several tables. */
class Findings {
  readonly #differences = new Map<string, MemberDifference & { tables: string[] }>();
  readonly #changed = new Map<string, ChangedApp & { tables: string[] }>();
  #tables = 0;

  add(table: string, theirs: unknown, ours: unknown, known: Knowledge): void {
    this.#tables += 1;
    const differences = compareTables(theirs, ours, known);
    const nameOf = (id: string) => {
      const [uuid = id, ...others] = known.uuidsOf(id);
      return others.length === 0 ? uuid : id;
    };
    for (const { path, there, here, reason } of differences) {
      const [section = "", id = "", ...rest] = path;
      const named = section === "app_policies" ? [section, nameOf(id), ...rest] : path;
      const found = { path: pathText(named), there: show(there), here: show(here), reason };
      put(this.#differences, JSON.stringify(found), { ...found, tables: [] }, table);
    }
    for (const { id, ...change } of compareRights(theirs, ours, differences)) {
      const found = { app: nameOf(id), ...change };
      put(this.#changed, JSON.stringify(found), { ...found, tables: [] }, table);
    }
  }

  toVerification(apps: number): Verification {
    const differences = [...this.#differences.values()].toSorted((a, b) => byCodeUnit(a.path, b.path));
    const changed = [...this.#changed.values()].toSorted((a, b) => byCodeUnit(a.app, b.app));
    const holds = differences.every(({ reason }) => reason !== null) && changed.every((one) => one.isExplained);
    return { holds, sentence: describe(apps, changed), apps, tables: this.#tables, changed, differences };
  }
}

function put<T extends { tables: string[] }>(all: Map<string, T>, key: string, found: T, table: string): void {
  const known = all.get(key) ?? found;
  if (!known.tables.includes(table)) known.tables.push(table);
  all.set(key, known);
}

/** E.g. `12 apps compared: none may do more, 1 may do less` */
function describe(apps: number, changed: readonly ChangedApp[]): string {
  const count = (which: "more" | "less") =>
    distinct(changed.filter((one) => one[which].length > 0).map((one) => one.app)).length;
  const words = (which: "more" | "less") => `${count(which) === 0 ? "none" : count(which)} may do ${which}`;
  const reasons = changed.length > 0 && changed.every((one) => one.isExplained) ? ", for known reasons" : "";
  return `${apps} ${apps === 1 ? "app" : "apps"} compared: ${words("more")}, ${words("less")}${reasons}`;
}

const maxCharacters = 300;

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}

function requestFor(ids: readonly string[], fullAppIdSupported: boolean) {
  return {
    ...Object.fromEntries(requiredMembers.map((name) => [name, {}])),
    app_policies: Object.fromEntries(ids.map((id) => [id, null])),
    module_config: { full_app_id_supported: fullAppIdSupported },
  };
}

/** The certificate contains a private key, which nothing else in this file may see. */
function withShownCertificate(table: unknown, passphrase: string | null): unknown {
  if (!isObject(table) || !isObject(table["module_config"])) return table;
  const { certificate, ...config } = table["module_config"];
  return { ...table, module_config: { ...config, certificate: showModuleCertificate(certificate, passphrase) } };
}
