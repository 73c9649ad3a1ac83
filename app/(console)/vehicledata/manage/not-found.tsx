"use client";
import { itemFamily } from "@/app/(console)/vehicledata/item-family";
import { RecordNotFound } from "@/app/_records/record-not-found";

export default function VehicleDataNotFound() {
  return <RecordNotFound family={itemFamily} />;
}
