"use client";
import { useSyncExternalStore } from "react";

const query = "(width < 48rem)";

function subscribe(listener: () => void): () => void {
  const list = window.matchMedia(query);
  list.addEventListener("change", listener);
  return () => {
    list.removeEventListener("change", listener);
  };
}

/** Whether the screen is so narrow that the rows of tables are cards. What is only seen or not is a matter of CSS. */
export function useCards(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
