"use client";
import dynamic from "next/dynamic";

/** The form and its results; who looks at another tab of the page does not fetch their code. */
export const LazySimulator = dynamic(() => import("./simulator").then((m) => m.Simulator));
