"use client";
import dynamic from "next/dynamic";
import { recordKinds } from "@/app/_records/kinds";

// Loaded only when needed: every item page includes this file.
const RecordNotFound = dynamic(() => import("@/app/_records/record-not-found").then((module) => module.RecordNotFound));

export default function VehicleDataNotFound() {
  return <RecordNotFound kind={recordKinds.vehicleData} />;
}
