"use client";
import dynamic from "next/dynamic";
import { recordKinds } from "@/app/_records/kinds";

// Loaded only when needed: every message page includes this file.
const RecordNotFound = dynamic(() => import("@/app/_records/record-not-found").then((module) => module.RecordNotFound));

export default function MessageNotFound() {
  return <RecordNotFound kind={recordKinds.messages} />;
}
