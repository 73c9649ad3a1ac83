import "server-only";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import type { NewSpecification } from "@/lib/records/rpc-specification/build";
import { loadSpecification, type DownloadOptions } from "@/lib/records/rpc-specification/load";
import { LanguageModel } from "@/models/language";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { Worker } from "node:worker_threads";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import type { ReadingAnswer, ReadingName, Readings } from "@/lib/records/rpc-specification/worker";
import { callWorker } from "@/lib/platform/process/call-worker";
import { workerFile } from "@/lib/platform/process/worker-file";

const maxShown = 5;

/** Adds unknown languages (`api.md` 12.5), removes none. SpecificationRefused, DatabaseUnavailable: nothing changed. */
export async function syncLanguages(
  context: WriteContext,
  source: string | null,
  report: TaskReport,
  options: DownloadOptions = {},
): Promise<{ readonly added: number }> {
  report.phase("loading the RPC specification");
  const text = await loadSpecification(source, options);
  report.phase("reading its languages");
  const { languages, leftOut } = await readDocument("languages", text);
  logLeftOut(leftOut);
  report.phase("storing languages");
  const added = await inTransaction(context, (tx) => saveLanguages(tx, languages));
  report.progress(languages.length, languages.length);
  return { added };
}

/** Stores the RPC specification if its version is new (`directory.md` 3.7). If it throws, nothing has changed. */
export async function syncRpcSpecification(
  context: WriteContext,
  source: string | null,
  report: TaskReport,
  options: DownloadOptions = {},
): Promise<{ readonly stored: boolean }> {
  report.phase("loading the RPC specification");
  const text = await loadSpecification(source, options);
  report.phase("reading it");
  const { specification, leftOut } = await readDocument("specification", text);
  report.phase("storing it");
  const stored = await inTransaction(context, (tx) => saveSpecification(tx, specification));
  if (stored) logLeftOut(leftOut);
  report.progress(1, 1);
  return { stored };
}

async function saveLanguages(tx: Transaction, languages: readonly string[]): Promise<number> {
  const known = await LanguageModel.find(
    { languageId: { $in: languages } },
    { languageId: 1 },
    { session: tx.session },
  ).lean();
  const knownIds = new Set(known.map(({ languageId }) => languageId));
  const added = languages.filter((languageId) => !knownIds.has(languageId));
  if (added.length === 0) {
    tx.keepRevision();
    return 0;
  }
  const ids = await tx.nextIds("languages", added.length);
  const documents = added.map((languageId, index) => ({ _id: ids[index], languageId }));
  await LanguageModel.insertMany(documents, { session: tx.session });
  tx.record({ action: "languages.update", target: "languages", after: { added } });
  return added.length;
}

async function saveSpecification(tx: Transaction, specification: NewSpecification): Promise<boolean> {
  const { session } = tx;
  const newest = await RpcSpecificationModel.findOne({}, { version: 1 }, { session }).sort({ _id: -1 }).lean();
  const { version, enums, structs, functions } = specification;
  if (newest?.version === version) {
    tx.keepRevision();
    return false;
  }
  // After a downgrade, the earlier version becomes the newest again. Each version is stored once.
  await RpcSpecificationModel.deleteOne({ version }, { session });
  const _id = await tx.nextId("rpc_specifications");
  // Mongoose would process thousands of parts one by one and delay vehicles. The document fits the model.
  await rawCollection(RpcSpecificationModel).insertOne({ ...specification, _id, storedAt: tx.now }, { session });
  tx.record({
    action: "rpc-specification.store",
    target: "rpc-specification",
    before: { version: newest?.version ?? null },
    after: { version, enums: enums.length, structs: structs.length, functions: functions.length },
  });
  return true;
}

function logLeftOut(leftOut: readonly string[]): void {
  if (leftOut.length === 0) return;
  const line = { left_out: leftOut.length, examples: leftOut.slice(0, maxShown) };
  log.warn(line, "parts of the RPC specification cannot be used");
}

/** A document of half a megabyte takes well under a second. */
const timeoutMs = 60_000;
const maxMegabytes = 512;

/** Reads a document on its own thread with limits on time and memory; throws SpecificationRefused. */
export async function readDocument<Name extends ReadingName>(wanted: Name, text: string): Promise<Readings[Name]> {
  const worker = new Worker(/* turbopackIgnore: true */ workerFile("rpc-specification-worker"), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
  try {
    const answer = (await callWorker(worker, { wanted, text }, timeoutMs).catch(() => ({
      problem: "The RPC specification takes too much time or memory to read",
    }))) as ReadingAnswer;
    if ("problem" in answer) throw new SpecificationRefused(answer.problem);
    // The worker returns what `Readings` declares, because both sides belong to one build.
    return answer.output as Readings[Name];
  } finally {
    await worker.terminate();
  }
}
