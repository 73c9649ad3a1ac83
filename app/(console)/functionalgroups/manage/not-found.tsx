"use client";
import dynamic from "next/dynamic";

// Loaded only when needed: every group page includes this file.
const GroupNotFound = dynamic(() => import("./group-not-found").then((module) => module.GroupNotFound));

export default function NotFound() {
  return <GroupNotFound />;
}
