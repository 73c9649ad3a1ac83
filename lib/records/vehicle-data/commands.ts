import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { saveRecords } from "@/lib/records/store/commands";
import { type RecordFamily, takeIds } from "@/lib/records/store/family";
import { vehicleDataSource } from "@/lib/records/vehicle-data/queries";
import {
  buildContent,
  findUnknownType,
  renumberNodes,
  type VehicleDataContent,
  type VehicleDataNode,
  type VehicleDataRecord,
  type VehicleDataTreeInput,
} from "@/lib/records/vehicle-data/rules";
import { type VehicleDataBody, vehicleDataBody } from "@/lib/records/vehicle-data/schema";
import { findSpecificationNames } from "@/lib/records/vehicle-data/specification";
import { buildRecordBody, buildWireVehicleData } from "@/lib/records/vehicle-data/wire";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";

export const vehicleDataFamily: RecordFamily<VehicleDataContent, VehicleDataRecord> = {
  ...vehicleDataSource,
  model: CustomVehicleDataModel,
  item: "vehicle_data",
  area: "vehicle-data",
  targetOf: ({ name }) => `vehicle-data:${name}`,
  subjectOf: () => "This item",
  // Items can be renamed. A renamed item is the first of its new name.
  takesOverNames: true,
  toJson: (record) => Promise.resolve(buildWireVehicleData(record)),
  toBody: buildRecordBody,
  contentOf: async (body, tx) => {
    const { tree } = vehicleDataBody.parse(body);
    await requireAllowed(tree, tx);
    return buildContent(tree);
  },
  // Every node has its own id; that of the root is the record's.
  number: async (tx, items) => {
    const count = items.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const nextId = await takeIds(tx, "custom_vehicle_data", count);
    return items.map((item) => {
      const nodes = renumberNodes(item.nodes, nextId);
      return { ...item, id: rootOf(nodes).id, nodes };
    });
  },
};

/** Saves a root with its tree (`api.md` 14.3), and returns the record and its findings. Throws like `saveRecords`. */
export async function saveVehicleData(
  { tree, baseId }: VehicleDataBody,
  writer: WriteContext,
): Promise<VehicleDataRecord & { readonly findings: readonly HeadUnitFinding[] }> {
  const edit = async (tx: Transaction) => {
    await requireAllowed(tree, tx);
    return [{ content: buildContent(tree), baseId }];
  };
  const { records, findings } = await saveRecords(vehicleDataFamily, edit, writer);
  const [record] = records;
  if (record === undefined) throw new RangeError("one edit gives one record");
  return { ...record, findings };
}

async function requireAllowed(tree: VehicleDataTreeInput, tx: Transaction): Promise<void> {
  const names = await findSpecificationNames(tx.session);
  const unknownType = findUnknownType(tree, names === null ? null : new Set(names.enumerations));
  if (unknownType !== null) throw new AppError("invalid", `${unknownType} is not a known type`);
  if (names?.natives.has(tree.name) !== true) return;
  // An item can be deleted even if a later specification uses its name.
  const known = await findHeads("vehicle_data", "staging", { keys: [tree.name], session: tx.session });
  if (!tree.isDeleted || known.length === 0) throw new AppError("invalid", "Name is used by a native parameter");
}

function rootOf([root]: readonly VehicleDataNode[]): VehicleDataNode {
  if (root === undefined) throw new RangeError("a tree has a root");
  return root;
}
