"use client";
import { type NewestRecord, NewestVersion } from "@/app/_records/newest-version";
import { get } from "@/lib/http/client";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

/** Leads to what staging has of the item that an address was about, or of what is inside of one. */
export function NewestItem() {
  return <NewestVersion find={(query) => findItem(query.get("id"))} />;
}

async function findItem(id: string | null): Promise<NewestRecord | null> {
  if (id === null || !/^\d{1,15}$/.test(id)) return null;
  const { custom_vehicle_data: found } = (await get(`/api/v1/vehicle-data?id=${id}&environment=staging`)) as {
    readonly custom_vehicle_data: readonly { readonly name: string }[];
  };
  const name = found[0]?.name;
  return name === undefined ? null : { name, href: vehicleDataPath(Number(id), "staging") };
}
