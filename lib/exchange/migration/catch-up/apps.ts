import "server-only";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import { saveUnknownReferences } from "@/lib/apps/applications/reference";
import {
  type FlagChanges,
  noFlags,
  saveApplicationFlags,
  saveFlagsOfApplications,
} from "@/lib/apps/applications/store-version";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";
import type { Transaction } from "@/lib/platform/db/transaction";
import {
  absent,
  decidedMembersOf,
  digestOfContainer,
  digestOfDecision,
  digestOfFlags,
  flagLabels,
  isUndecided,
  textOf,
  versionKey,
  type Run,
} from "@/lib/exchange/migration/items";
import { namesOf, pickMembers, recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

interface VersionPair {
  readonly there: RawDocument | null;
  readonly here: RawDocument | null;
}

export async function planVersions(run: Run): Promise<void> {
  const { session } = run.tx;
  const members = ["uuid", "versionId", "name", "approvalStatus", "denialMessage", "encryptionRequired", "groupGrants"];
  const projection = Object.fromEntries([...members, "services"].map((name) => [name, 1]));
  const own = await rawCollection(ApplicationModel).find({}, { session, projection }).sort({ _id: 1 }).toArray();
  const [theirs, ours] = [byUuid(run.documents.applications), byUuid(own)];
  for (const [uuid, versions] of theirs) planApp(run, uuid, versions, ours.get(uuid) ?? new Map());
  const known = new Set(run.documents.applications.map(versionKey));
  for (const version of own) {
    const key = versionKey(version);
    if (known.has(key) || !run.base.has(`version:${key}`)) continue;
    run.kept.push({ what: describeVersion(version), reason: "the other server no longer has it" });
  }
}

type Versions = ReadonlyMap<string, RawDocument>;

/** In ascending order of ids. */
function byUuid(documents: readonly RawDocument[]): Map<string, Map<string, RawDocument>> {
  const apps = new Map<string, Map<string, RawDocument>>();
  for (const document of documents.toSorted((a, b) => a._id - b._id)) {
    const uuid = textOf(document["uuid"]);
    apps.set(uuid, (apps.get(uuid) ?? new Map<string, RawDocument>()).set(versionKey(document), document));
  }
  return apps;
}

function planApp(run: Run, uuid: string, theirs: Versions, ours: Versions): void {
  const decided = new Map<number, RawDocument>();
  let isBehind = false;
  const behind: VersionPair[] = [];
  for (const [key, there] of theirs) {
    const here = ours.get(key) ?? null;
    const verdict = judgeVersion(run, key, { there, here });
    if (verdict === "conflict")
      run.conflicts.push({ what: describeVersion(there), reason: describeClash(there, here) });
    if (verdict === "take") {
      run.changes.push({ what: describeVersion(there), change: describeDecision(there, here) });
      if (here === null) isBehind = true;
      else decided.set(here._id, there);
    }
    if (isBehind && (here !== null || verdict === "take")) behind.push({ there, here });
  }
  if (decided.size > 0) run.writes.push(() => storeDecisions(run.tx, decided));
  if (isBehind) {
    const own = [...ours].filter(([key]) => !theirs.has(key) && !run.base.has(`version:${key}`));
    const later = own.map(([, here]) => ({ there: null, here }));
    run.writes.push(() => storeVersions(run.tx, [...behind, ...later]));
  }
  if (decided.size > 0 || isBehind) run.writes.push(() => saveFlagsOfApplications(run.tx, [uuid], {}));
}

function judgeVersion({ base, judge }: Run, key: string, { there, here }: VersionPair) {
  const id = `version:${key}`;
  // The app directory delivered it to this server as well, and nobody has decided about it here.
  const isNew = here !== null && !base.has(id) && isUndecided(here);
  const what = there === null ? null : describeVersion(there);
  const verdict = judge(id, what, digestOfDecision(there), isNew ? absent : digestOfDecision(here));
  return isNew && verdict === "take" && digestOfDecision(there) === digestOfDecision(here) ? null : verdict;
}

async function storeDecisions(tx: Transaction, decided: ReadonlyMap<number, RawDocument>) {
  const raw = rawCollection(ApplicationModel);
  for (const [_id, there] of decided) {
    const { approvalStatus, denialMessage, encryptionRequired, groupGrants, services } = there;
    const set = { approvalStatus, denialMessage, encryptionRequired, groupGrants, services, holds: [] };
    const here = await raw.findOne({ _id }, { session: tx.session });
    await ApplicationModel.updateOne({ _id }, { $set: set }, { session: tx.session });
    recordDecision(tx, _id, here, there);
  }
}

function recordDecision(tx: Transaction, id: number, here: RawDocument | null, there: RawDocument): void {
  const tell = (one: RawDocument) =>
    toSnakeMembers({ ...decidedMembersOf(one), denialMessage: textOf(one["denialMessage"]) || null });
  const [before, after] = [here, there].map((one) => one && tell(one));
  tx.record({
    action: "applications.action",
    target: `application:${id}`,
    before: before ?? null,
    after: after ?? null,
  });
}

/** Vehicles get the newest granted version, so the order must match the other server: stored versions get new ids. */
async function storeVersions(tx: Transaction, versions: readonly VersionPair[]): Promise<void> {
  const { session } = tx;
  const stored = versions.flatMap(({ here }) => here?._id ?? []);
  const raw = rawCollection(ApplicationModel);
  const full = new Map((await raw.find({ _id: { $in: stored } }, { session }).toArray()).map((one) => [one._id, one]));
  if (stored.length > 0) await raw.deleteMany({ _id: { $in: stored } }, { session });
  const ids = await tx.nextIds("applications", versions.length);
  const documents = versions.map(({ there, here }, index) => ({
    ...(here === null ? there : full.get(here._id)),
    _id: ids[index] ?? 0,
    isLatest: index === versions.length - 1,
  }));
  const added = documents as unknown as readonly NewApplicationVersion[];
  await saveUnknownReferences(tx, added);
  const uuid = added[0]?.uuid ?? "";
  await ApplicationModel.updateMany({ uuid, isLatest: true }, { $set: { isLatest: false } }, { session });
  await ApplicationModel.insertMany(documents, { session, timestamps: false });
  for (const document of documents as readonly RawDocument[]) {
    if (document.approvalStatus !== "PENDING") recordDecision(tx, document._id, null, document);
  }
}

const describeVersion = (version: RawDocument) =>
  `app ${textOf(version["name"])} (${textOf(version["uuid"])}), version ${textOf(version["versionId"]) || "without a number"}`;

function describeDecision(there: RawDocument, here: RawDocument | null): string {
  const now = textOf(there["approvalStatus"]);
  if (here === null) return `new, ${now}`;
  const before = textOf(here["approvalStatus"]);
  return before === now ? "groups, services, encryption or reason changed" : `${before} becomes ${now}`;
}

function describeClash(there: RawDocument, here: RawDocument | null): string {
  if (here === null) return "decided there, removed here";
  const [theirs, ours] = [decidedMembersOf(there), decidedMembersOf(here)];
  if (theirs.approvalStatus !== ours.approvalStatus)
    return `${theirs.approvalStatus} there, ${ours.approvalStatus} here`;
  return "its groups, services, encryption or reason were changed differently";
}

export async function planFlags(run: Run): Promise<void> {
  const { session } = run.tx;
  const own = await rawCollection(ApplicationFlagsModel).find({}, { session }).toArray();
  const ours = new Map(own.map((flags) => [textOf(flags["uuid"]), flags]));
  const theirs = new Map(run.documents.application_flags.map((flags) => [textOf(flags["uuid"]), flags]));
  // A flag that was switched off leaves no trace if no version of the app is stored.
  const known = [...run.base.keys()].flatMap((id) => (id.startsWith("app:") ? [id.slice("app:".length)] : []));
  for (const uuid of new Set([...theirs.keys(), ...known])) {
    const [there, here] = [theirs.get(uuid) ?? null, ours.get(uuid) ?? null];
    const what = `app ${uuid}`;
    const verdict = run.judge(`app:${uuid}`, what, digestOfFlags(there), digestOfFlags(here));
    if (verdict === null) continue;
    const differing = namesOf(flagLabels).filter((name) => (there?.[name] || null) !== (here?.[name] || null));
    const said = differing.map((name) => describeFlag(name, there?.[name])).join(", ");
    if (verdict === "conflict") run.conflicts.push({ what, reason: `${said} there, and changed here` });
    else {
      run.changes.push({ what, change: said });
      run.writes.push(() => storeFlags(run.tx, uuid, { there, here, said }));
    }
  }
}

function describeFlag(name: keyof typeof flagLabels, value: unknown): string {
  if (typeof value === "string") return `${flagLabels[name]} ${value}`;
  return value ? flagLabels[name] : `not ${flagLabels[name]}`;
}

async function storeFlags(
  tx: Transaction,
  uuid: string,
  {
    there,
    here,
    said,
  }: { readonly there: RawDocument | null; readonly here: RawDocument | null; readonly said: string },
): Promise<void> {
  // The other server has no priorities: those that were set here stay.
  const { priority: _own, ...flags } = noFlags;
  const changes = { ...flags, ...(there && pickMembers(there, namesOf(flags))) };
  await saveApplicationFlags(tx, uuid, changes as FlagChanges);
  const tell = (one: RawDocument | null) =>
    toSnakeMembers(
      recordOf(namesOf(flagLabels), (name) => (one?.[name] === true ? true : textOf(one?.[name]) || null)),
    );
  tx.record({
    action: "applications.update",
    target: `app:${uuid}`,
    before: tell(here),
    after: { said, ...tell(there) },
  });
}

/** This server renews its own containers; one that it created itself stays. */
export async function planContainers(run: Run): Promise<void> {
  const { session } = run.tx;
  const own = await AppCertificateModel.find({}, { container: 1 }, { session }).lean();
  const ours = new Map(own.map(({ _id, container }) => [_id, container]));
  for (const there of run.documents.app_certificates) {
    const digest = digestOfContainer(there.container);
    const verdict = run.judge(`container:${there._id}`, null, digest, digestOfContainer(ours.get(there._id) ?? null));
    const what = `the certificate of app ${there._id}`;
    if (verdict === "conflict") run.kept.push({ what, reason: "both servers have a new one" });
    if (verdict !== "take") continue;
    const { _id, ...set } = there;
    run.changes.push({ what, change: "new certificate" });
    run.writes.push(async () => {
      await AppCertificateModel.updateOne({ _id }, { $set: set }, { session, upsert: true });
      run.tx.record({ action: "app-certificate.save", target: `app:${_id}` });
    });
  }
}
