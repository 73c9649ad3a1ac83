"use client";
import { RecordNotFound } from "@/app/_records/record-not-found";
import { messageFamily } from "../message-family";

export default function MessageNotFound() {
  return <RecordNotFound family={messageFamily} />;
}
