"use client";
import { useMedia } from "@/app/_components/hooks/use-media";

/** Whether the screen is so narrow that the rows of tables are cards. What is only seen or not is a matter of CSS. */
export function useCards(): boolean {
  return useMedia("(width < 48rem)");
}
