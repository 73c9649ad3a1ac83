import "server-only";
import type { ClientSession } from "mongoose";
import { findSpecificationNames } from "@/lib/content/vehicle-data/specification";
import { findStates } from "@/lib/content/records/queries";
import type { ParameterSources } from "@/lib/policy/table/functional-groupings";
import type { Environment } from "@/lib/labels/vocabulary";

/** Reads what decides which parameters are usable (rule F5): names only, not the whole specification. */
export async function loadParameterSources(session?: ClientSession): Promise<ParameterSources> {
  return {
    rpcSpec: await findSpecificationNames(session),
    vehicleData: {
      staging: await listCustomRoots("staging", session),
      production: await listCustomRoots("production", session),
    },
  };
}

async function listCustomRoots(environment: Environment, session?: ClientSession) {
  const roots = await findStates("vehicle_data", environment, { session });
  return roots.map(({ key, isDeleted }) => ({ name: key, isDeleted }));
}
