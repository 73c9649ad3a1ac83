"use client";
import dynamic from "next/dynamic";

// Fetched only where it is needed: this page comes along with every group.
const GroupNotFound = dynamic(() => import("./group-not-found").then((module) => module.GroupNotFound));

export default function NotFound() {
  return <GroupNotFound />;
}
