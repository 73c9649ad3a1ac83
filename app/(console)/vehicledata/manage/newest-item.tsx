"use client";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { LinkButton } from "@/app/_components/link-button";
import { get } from "@/lib/http/client";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

/** Leads to what staging has of the item that an address was about, where there is something. */
export function NewestItem() {
  const id = useSearchParams().get("id");
  const { data: name } = useSWR(["newest-item", id], ([, given]) => findName(given));
  if (!name || id === null) return null;
  return (
    <LinkButton variant="primary" href={vehicleDataPath(Number(id), "staging")}>
      {`Newest version of ${name}`}
    </LinkButton>
  );
}

/** The name of an item in staging, or of what is inside of one; null when it is not there. */
async function findName(id: string | null): Promise<string | null> {
  if (id === null || !/^\d{1,15}$/.test(id)) return null;
  const { custom_vehicle_data: found } = (await get(`/api/v1/vehicle-data?id=${id}&environment=staging`)) as {
    readonly custom_vehicle_data: readonly { readonly name: string }[];
  };
  return found[0]?.name ?? null;
}
