"use client";
import { ApiError, get } from "@/lib/http/client";
import type { Environment } from "@/lib/words/vocabulary";
import type { WireVehicleData } from "@/lib/vehicle-data/wire";

/** Reads all items of a view. */
export async function readItems(environment: Environment): Promise<readonly WireVehicleData[]> {
  const answer = (await get(`/api/v1/vehicle-data?environment=${environment}`)) as {
    readonly custom_vehicle_data: readonly WireVehicleData[];
  };
  return answer.custom_vehicle_data;
}

/**
 * Reads the newest version of an item, with all that is inside.
 *
 * @throws ApiError when the item is no longer there
 */
export async function readItem(name: string): Promise<WireVehicleData & { readonly id: number }> {
  const found = (await readItems("staging")).find((item) => item.name === name);
  if (found?.id === undefined || found.id === null) {
    throw new ApiError(`There is no ${name} in staging any more. Load the page again.`, 404, null, null);
  }
  return { ...found, id: found.id };
}

/**
 * The body that stores an item as it is, marked for deletion or not.
 *
 * @param baseId the version that the reader has seen: a later one is not written over
 */
export function buildRemoval(item: WireVehicleData, isDeleted: boolean, baseId: number) {
  return { ...item, is_deleted: isDeleted, base_id: baseId };
}

/** An item as a save has stored it. */
interface Saved {
  readonly id: number;
  readonly name: string;
  readonly params: readonly Saved[];
}

/**
 * The id that a save has given to an item, or to what is inside of it.
 *
 * @param names those that lead from the item to the node
 */
export function readId(answer: unknown, names: readonly string[] = []): number | null {
  // The shape is that of `vehicleDataListAnswer`.
  const { custom_vehicle_data: saved } = answer as { readonly custom_vehicle_data?: readonly Saved[] };
  let node = saved?.[0];
  const rootId = node?.id ?? null;
  for (const name of names) node = node?.params.find((child) => child.name === name);
  return node?.id ?? rootId;
}
