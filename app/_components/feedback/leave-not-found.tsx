"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** Next only leaves the not-found state when the path changes, so a link to other parameters reloads. */
export function LeaveNotFound() {
  const query = useSearchParams().toString();
  const [first] = useState(query);
  useEffect(() => {
    if (query !== first) window.location.reload();
  }, [query, first]);
  return null;
}
