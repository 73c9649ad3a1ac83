import "server-only";
import { findHeads, recordFamilies, storeOf } from "@/lib/platform/db/heads";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";
import type { Transaction } from "@/lib/platform/db/transaction";
import { MoveRefused } from "@/lib/exchange/migration/migrate";
import {
  certificateItem,
  digestOfCertificate,
  digestOfContent,
  digestOfHeads,
  type Heads,
  headsByKey,
  movedFamilies,
  type Run,
} from "@/lib/exchange/migration/items";
import { findNewFaults } from "@/lib/policy/checks/promotion-check";
import type { StoredMembers } from "@/lib/records/store/family";
import { storeRecords } from "@/lib/records/store/commands";
import { recordItems } from "@/lib/records/families";
import { type Publication, writeRelease } from "@/lib/releases/publish/write-release";
import { nameItem, type RecordItemFamily } from "@/lib/vocabulary/release-items";
import { namesOf } from "@/lib/vocabulary/members";
import { distinct } from "@/lib/vocabulary/order";

const changedOnBoth = "changed on both servers since the last run";

export interface RecordChange {
  readonly family: RecordItemFamily;
  readonly publish: RawDocument | null;
  readonly stage: RawDocument | null;
}

export async function planRecords(run: Run): Promise<RecordChange[]> {
  const found: RecordChange[] = [];
  // Sequential, because operations of a transaction must not run in parallel.
  for (const family of namesOf(recordFamilies)) {
    const { documents, keyField } = movedFamilies[family];
    const theirs = headsByKey(run.documents[documents], keyField);
    const ours = await readOwnHeads(run.tx, family);
    const certificate = family === "module_config" ? judgeCertificate(run, theirs.get(""), ours.get("")) : null;
    for (const [key, there] of theirs) {
      const here = ours.get(key) ?? { production: null, staging: null };
      const what = key === "" ? `the ${nameItem({ family, key })}` : nameItem({ family, key });
      const verdict = run.judge(`${family}:${key}`, what, digestOfHeads(there), digestOfHeads(here));
      if (verdict === "conflict") run.conflicts.push({ what, reason: changedOnBoth });
      else if (verdict === "take" || certificate === "take") {
        const wanted = verdict === "take" ? there : here;
        const withPair = certificate === "take" ? there.production : here.production;
        const change = planRecord(family, { wanted, here, withPair, isNewPair: certificate === "take" });
        found.push(change);
        run.changes.push({ what, change: describeRecord(change, verdict === "take") });
      }
    }
  }
  return found;
}

function judgeCertificate(run: Run, there: Heads | undefined, here: Heads | undefined) {
  const digestOf = (heads: Heads | undefined) => digestOfCertificate(heads?.production ?? heads?.staging ?? null);
  const verdict = run.judge(certificateItem, null, digestOf(there), digestOf(here));
  if (verdict !== "conflict") return verdict;
  run.kept.push({ what: "the certificate of the module config", reason: "both servers have a new one" });
  return null;
}

interface RecordPlan {
  readonly wanted: Heads;
  readonly here: Heads;
  /** The module config whose certificate and key are used. */
  readonly withPair: RawDocument | null;
  readonly isNewPair: boolean;
}

function planRecord(family: RecordItemFamily, { wanted, here, withPair, isNewPair }: RecordPlan): RecordChange {
  const { production, staging } = wanted;
  const isStaged = staging?.status === "STAGING";
  const isPublished =
    production !== null &&
    (isNewPair ||
      digestOfContent(production) !== digestOfContent(here.production) ||
      (!isStaged && here.staging?.status === "STAGING"));
  const isEdited = isStaged && (isPublished || digestOfContent(staging) !== digestOfContent(here.staging));
  const isBack = isStaged && here.staging?.status === "PRODUCTION";
  const pair = pairOf(withPair ?? staging);
  const complete = (document: RawDocument) => (family === "module_config" ? { ...document, ...pair } : document);
  return {
    family,
    publish: isPublished ? complete(production) : null,
    stage: isEdited || isBack ? complete(staging) : null,
  };
}

const pairOf = (config: RawDocument | null) =>
  Object.fromEntries(["certificate", "privateKey", "expirationTs"].map((name) => [name, config?.[name] ?? null]));

function describeRecord({ publish, stage }: RecordChange, isContent: boolean): string {
  if (!isContent) return "new certificate";
  const verb = (document: RawDocument) => (document["isDeleted"] === true ? "deleted" : "changed");
  const parts = [
    ...(publish === null ? [] : [`${verb(publish)} in production`]),
    ...(stage === null ? [] : [`${verb(stage)} in staging`]),
  ];
  return parts.join(", ");
}

async function readOwnHeads({ session }: Transaction, family: RecordItemFamily): Promise<Map<string, Heads>> {
  const store = storeOf(family);
  const ids = new Set<number>();
  for (const environment of ["production", "staging"] as const) {
    for (const { id } of await findHeads(store, environment, { session })) ids.add(id);
  }
  const documents = await rawCollection(store.model)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
  return headsByKey(documents, store.keyField);
}

/** Migrated data may not fit changes made here: throws MoveRefused. Null: production does not change. */
export async function storeChecked(tx: Transaction, changes: readonly RecordChange[]): Promise<number | null> {
  const about = { families: namesOf(recordFamilies), known: null };
  const { findings: staged, value } = await findNewFaults(tx, "staging", about, () =>
    findNewFaults(tx, "production", about, () => storeRecordChanges(tx, changes)),
  );
  const findings = [...value.findings, ...staged];
  if (findings.length === 0) return value.value;
  throw new MoveRefused(
    "Head units would refuse the policy table with what was made on both servers; nothing was imported",
    distinct(findings.map(({ path, message }) => `${path}: ${message}`)),
  );
}

/** Null: production does not change. */
async function storeRecordChanges(tx: Transaction, changes: readonly RecordChange[]): Promise<number | null> {
  const publications = changes.flatMap(({ family, publish }) =>
    publish === null ? [] : [publicationOf(family, publish)],
  );
  let number: number | null = null;
  if (publications.length > 0) {
    number = (await writeRelease(tx, "import", { publications, name: "Catch-up with sdl_server" })).number;
  }
  for (const { family, stage } of changes) {
    if (stage === null) continue;
    const { family: records, records: contents } = publicationOf(family, stage);
    for (const stored of await storeRecords(records, tx, contents, { status: "STAGING" })) {
      tx.record({ action: `${records.area}.save`, target: records.targetOf(stored), after: stored.id });
    }
  }
  return number;
}

/** The other server already serves this content, so the checks for a publication do not apply. */
function publicationOf(name: RecordItemFamily, { _id: id, ...content }: RawDocument): Publication {
  const family = { ...recordItems[name], requirePromotable: () => Promise.resolve() };
  // The document contains the family's content, status and times.
  return { family, records: [{ ...content, id } as unknown as StoredMembers] };
}
