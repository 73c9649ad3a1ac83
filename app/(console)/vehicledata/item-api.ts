"use client";
import { ApiError, get } from "@/lib/http/client";
import type { Environment } from "@/lib/policy/vocabulary";
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

/** The body that stores an item as it is, marked for deletion or not. */
export function buildRemoval(item: WireVehicleData & { readonly id: number }, isDeleted: boolean) {
  return { ...item, is_deleted: isDeleted, base_id: item.id };
}

/** The id of the version that a save has stored. */
export function readId(answer: unknown): number | null {
  const [saved] = (answer as { readonly custom_vehicle_data?: readonly { readonly id?: number }[] } | null)
    ?.custom_vehicle_data ?? [null];
  return saved?.id ?? null;
}
