"use client";
import dynamic from "next/dynamic";

/** Ways on from a group that is not there; fetched only there, since this page comes along with every group. */
export const LazyNewestGroup = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/newest-group").then((module) => module.NewestGroup),
  { ssr: false },
);
