"use client";
import dynamic from "next/dynamic";

/** Other tabs of the page don't load its code. */
export const LazySimulator = dynamic(() => import("./simulator").then((m) => m.Simulator));
