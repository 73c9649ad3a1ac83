import "server-only";
import type { ClientSession } from "mongoose";
import { findStates } from "@/lib/content/records/queries";
import type { ParameterSources } from "@/lib/policy/table/functional-groupings";
import type { Environment } from "@/lib/labels/vocabulary";
import { RpcSpecificationModel } from "@/models/rpc-specification";

/** Reads what decides which parameters are usable (rule F5): names only, not the whole specification. */
export async function loadParameterSources(session?: ClientSession): Promise<ParameterSources> {
  return {
    rpcSpec: await findFunctionNames(session),
    vehicleData: {
      staging: await listCustomRoots("staging", session),
      production: await listCustomRoots("production", session),
    },
  };
}

async function listCustomRoots(environment: Environment, session?: ClientSession) {
  const roots = await findStates("vehicleData", environment, { session });
  return roots.map(({ key, isDeleted }) => ({ name: key, isDeleted }));
}

let newest: { readonly key: string; readonly rpcSpec: NonNullable<ParameterSources["rpcSpec"]> } | null = null;

/** Specifications never change once stored, so the newest one is read once. */
async function findFunctionNames(session?: ClientSession): Promise<ParameterSources["rpcSpec"]> {
  const head = await RpcSpecificationModel.findOne({}, { version: 1, storedAt: 1 })
    .sort({ _id: -1 })
    .session(session ?? null)
    .lean();
  if (head === null) return null;
  const key = JSON.stringify(head);
  if (newest?.key === key) return newest.rpcSpec;
  const stored = await RpcSpecificationModel.findById(head._id, {
    "functions.name": 1,
    "functions.messageType": 1,
    "functions.params.name": 1,
  })
    .session(session ?? null)
    .lean();
  if (stored === null) return null;
  const functions = stored.functions.map(({ name, messageType, params }) => ({ name, messageType, params }));
  newest = { key, rpcSpec: { functions } };
  return newest.rpcSpec;
}
