"use client";
import dynamic from "next/dynamic";
import { messageFamily } from "../message-family";

// Fetched only where it is needed: this page comes along with every message.
const RecordNotFound = dynamic(() => import("@/app/_records/record-not-found").then((module) => module.RecordNotFound));

export default function MessageNotFound() {
  return <RecordNotFound family={messageFamily} />;
}
