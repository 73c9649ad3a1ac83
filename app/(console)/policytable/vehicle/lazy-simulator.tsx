"use client";
import dynamic from "next/dynamic";

/** The form and its results; other tabs of the page don't load their code. */
export const LazySimulator = dynamic(() => import("./simulator").then((m) => m.Simulator));
