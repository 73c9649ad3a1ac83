import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/lib/platform/errors";
import { requireRelease, toReleaseJson } from "@/lib/content/releases/queries";
import type { ReleaseJson } from "@/lib/content/releases/answer-schema";

/** The release that an address names; loaded once for page and title. What names none leads to the not-found page. */
export const requireShownRelease = cache(async (parameter: string): Promise<ReleaseJson> => {
  if (!/^[1-9]\d{0,8}$/.test(parameter)) notFound();
  try {
    return toReleaseJson(await requireRelease(Number(parameter)));
  } catch (error) {
    if (isAppError(error) && error.code === "notFound") notFound();
    throw error;
  }
});
