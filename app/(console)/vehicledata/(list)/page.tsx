import type { Metadata } from "next";
import { ItemList } from "./item-list";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requireListQuery } from "@/app/_console/require-page-query";
import { loadVehicleDataList } from "@/lib/records/vehicle-data/console-queries";
import { vehicleDataListQuery } from "@/lib/records/vehicle-data/console-schema";

export const metadata: Metadata = { title: "Vehicle data" };

export default async function VehicleDataPage({ searchParams }: PageProps<"/vehicledata">) {
  await requirePage("read");
  const query = await requireListQuery("/vehicledata", vehicleDataListQuery, await searchParams);
  return <ItemList list={await loadVehicleDataList(query)} query={query} />;
}
