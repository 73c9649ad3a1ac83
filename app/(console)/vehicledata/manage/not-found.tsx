"use client";
import dynamic from "next/dynamic";
import { itemFamily } from "../item-family";

// Fetched only where it is needed: this page comes along with every item.
const RecordNotFound = dynamic(() => import("@/app/_records/record-not-found").then((module) => module.RecordNotFound));

export default function VehicleDataNotFound() {
  return <RecordNotFound family={itemFamily} />;
}
