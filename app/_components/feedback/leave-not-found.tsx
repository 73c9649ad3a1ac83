"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/**
 * Reloads when a link leads from "not found" to the same path with other parameters: Next only leaves the not-found
 * state when the path changes.
 */
export function LeaveNotFound() {
  const query = useSearchParams().toString();
  const [first] = useState(query);
  useEffect(() => {
    if (query !== first) window.location.reload();
  }, [query, first]);
  return null;
}
