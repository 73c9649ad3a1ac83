import { type FormSource, type ItemForm, toBody, toForm } from "./item-form";
import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import { ApiError, get } from "@/lib/platform/http/client";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import type { WireVehicleData } from "@/lib/records/vehicle-data/wire";

export const itemFamily: RecordFamily<ItemForm> = {
  ...recordKinds.vehicleData,
  api: "/api/v1/vehicle-data",
  draftPrefix: "vehicle-data",
  pathAfter: (answer) => pathAfterSave(answer, []),
  nameOf: ({ name }) => name,
  toBody: (form, baseId, isDeleted) => toBody({ ...form, isDeleted }, baseId),
  fromCurrent: (current) => toForm(current as FormSource),
  read: async (name) => {
    const item = (await readItems("environment=staging")).find((one) => one.name === name);
    if (item === undefined) throw new ApiError(`There is no ${name} in staging anymore`, 404, null, null);
    return { id: item.id, form: toForm(item), isDeleted: item.is_deleted };
  },
  find: async ({ id }) => {
    const [item] = id === null ? [] : await readItems(`id=${id}&environment=staging`);
    return id === null || !item ? null : { id, name: item.name ?? "" };
  },
};

async function readItems(query: string): Promise<readonly WireVehicleData[]> {
  const answer = (await get(`/api/v1/vehicle-data?${query}`)) as {
    readonly custom_vehicle_data: readonly WireVehicleData[];
  };
  return answer.custom_vehicle_data;
}

interface Saved {
  readonly id: number;
  readonly name: string;
  readonly params: readonly Saved[];
}

/** `names`: the path from the item to the node. */
export function pathAfterSave(answer: unknown, names: readonly string[]): string | null {
  // The shape is that of `vehicleDataListAnswer`.
  const { custom_vehicle_data: saved } = answer as { readonly custom_vehicle_data?: readonly Saved[] };
  const root = saved?.[0];
  let node = root;
  for (const name of names) node = node?.params.find((child) => child.name === name);
  const id = node?.id ?? root?.id;
  return id === undefined ? null : vehicleDataPath(id, "staging");
}
