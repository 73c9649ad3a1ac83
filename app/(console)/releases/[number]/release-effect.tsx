"use client";
import { use } from "react";
import { pathsOfRelease } from "@/app/_releases/publication";
import { EffectSection } from "@/app/_releases/verdict-sections";
import type { AppsEffect } from "@/lib/releases/answer-schema";

/** The effect of a release on today's apps (L7). Streams in later, because it reads the old production again. */
export function ReleaseEffect({ number, effect }: Readonly<{ number: number; effect: Promise<AppsEffect> }>) {
  return <EffectSection effect={use(effect)} isDone {...pathsOfRelease(number, "release")} />;
}
