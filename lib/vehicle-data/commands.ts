import "server-only";
import { findHeads } from "@/lib/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { findNewFaults, requireNoNewFaults } from "@/lib/policy/promotion-check";
import { loadVehicleDataRecords } from "@/lib/vehicle-data/queries";
import {
  buildNodes,
  countNodes,
  findUnknownType,
  renumberNodes,
  type VehicleDataRecord,
  type VehicleDataTreeInput,
} from "@/lib/vehicle-data/rules";
import { type VehicleDataBody } from "@/lib/vehicle-data/schema";
import { findSpecificationNames } from "@/lib/vehicle-data/specification";
import { buildWireSubmission, buildWireVehicleData } from "@/lib/vehicle-data/wire";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";

/**
 * Saves a root with its whole tree as a new STAGING record (`api.md` 14.3).
 *
 * @returns the record with its new ids, and the faults that it brings to the staging table
 * @throws AppError 400 for an unknown type and for the name of a native parameter; 409 with `data.current` and
 *   `data.submitted` when `baseId` is not the newest record of that name; a name without records conflicts with none
 */
export async function saveVehicleData(
  { tree, baseId }: VehicleDataBody,
  writer: WriteContext,
): Promise<VehicleDataRecord & { readonly findings: readonly HeadUnitFinding[] }> {
  return inTransaction(writer, async (tx) => {
    const [head] = await findHeads("vehicleData", "staging", { keys: [tree.name], session: tx.session });
    await requireAllowed(tree, head !== undefined, tx);
    if (baseId !== null && head !== undefined && head.id !== baseId) {
      const isFree = baseId === 0 && (await isGone(head.id, tx));
      if (!isFree) throw await buildConflict(tree, head.id, tx);
    }
    const ids = await tx.nextIds("custom_vehicle_data", countNodes(tree));
    const { isDeleted, ...root } = tree;
    const record = buildRecord(tx, { name: tree.name, status: "STAGING", isDeleted, nodes: buildNodes(root, ids) });
    const { findings } = await findNewFaults(tx, "staging", async () => {
      await insertRecords(tx, [record]);
      const action = isDeleted ? "vehicle-data.delete" : "vehicle-data.save";
      tx.record({ action, target: targetOf(record), before: head?.id ?? null, after: record.id });
    });
    return { ...record, findings };
  });
}

/**
 * Publishes every root whose newest record is STAGING, deletions included: all or none (`api.md` 14.4).
 *
 * @param options.force publishes whatever is found
 * @throws AppError 409 with `data.findings` when the production table would have new faults afterwards
 */
export async function promoteVehicleData(options: { readonly force: boolean }, writer: WriteContext): Promise<void> {
  await inTransaction(writer, async (tx) => {
    const heads = await findHeads("vehicleData", "staging", { session: tx.session });
    const newest = await loadVehicleDataRecords(
      heads.map(({ id }) => id),
      tx.session,
    );
    const waiting = newest.filter(({ status }) => status === "STAGING").sort((a, b) => a.id - b.id);
    if (waiting.length === 0) {
      tx.keepRevision();
      return;
    }
    await requireNoNewFaults(tx, options.force, () => publish(tx, waiting));
  });
}

async function publish(tx: Transaction, records: readonly VehicleDataRecord[]): Promise<void> {
  const count = records.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const ids = await tx.nextIds("custom_vehicle_data", count);
  let used = 0;
  const copies = records.map(({ name, isDeleted, nodes }) => {
    const own = ids.slice(used, (used += nodes.length));
    return buildRecord(tx, { name, status: "PRODUCTION", isDeleted, nodes: renumberNodes(nodes, own) });
  });
  await insertRecords(tx, copies);
  for (const [index, copy] of copies.entries()) {
    const before = records[index]?.id ?? null;
    tx.record({ action: "vehicle-data.promote", target: targetOf(copy), before, after: copy.id });
  }
}

/** What of 14.3 depends on the RPC specification. */
async function requireAllowed(tree: VehicleDataTreeInput, exists: boolean, tx: Transaction): Promise<void> {
  const names = await findSpecificationNames(tx.session);
  const unknownType = findUnknownType(tree, names === null ? null : new Set(names.enumerations));
  if (unknownType !== null) throw new AppError("invalid", `${unknownType} is not a known type`);
  // An item that a later specification took the name of can still be deleted.
  const isRemoval = tree.isDeleted && exists;
  if (!isRemoval && names?.natives.has(tree.name)) throw new AppError("invalid", "Name is used by a native parameter");
}

/** Whether the newest record of a name is a promoted deletion: then the name is free for a new item. */
async function isGone(headId: number, tx: Transaction): Promise<boolean> {
  const [newest] = await loadVehicleDataRecords([headId], tx.session);
  return newest?.isDeleted === true && newest.status === "PRODUCTION";
}

async function buildConflict(tree: VehicleDataTreeInput, headId: number, tx: Transaction) {
  const [newest] = await loadVehicleDataRecords([headId], tx.session);
  const current = newest === undefined ? null : buildWireVehicleData(newest);
  return new AppError("conflict", "This item was changed meanwhile; base_id is not its newest record", {
    data: { current, submitted: buildWireSubmission(tree) },
  });
}

function buildRecord(
  tx: Transaction,
  values: Omit<VehicleDataRecord, "id" | "createdAt" | "updatedAt">,
): VehicleDataRecord {
  const [root] = values.nodes;
  if (root === undefined) throw new RangeError("a tree has a root");
  return { ...values, id: root.id, createdAt: tx.now, updatedAt: tx.now };
}

async function insertRecords(tx: Transaction, records: readonly VehicleDataRecord[]): Promise<void> {
  const documents = records.map(({ id, ...record }) => ({ _id: id, ...record }));
  await CustomVehicleDataModel.insertMany(documents, { session: tx.session, timestamps: false });
}

function targetOf({ name }: VehicleDataRecord): string {
  return `vehicle-data:${name}`;
}
