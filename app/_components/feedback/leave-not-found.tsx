"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/**
 * Follows a link from "not found" to the same page with other parameters. Next leaves that state only for another path,
 * so the new address is loaded as if it had been typed.
 */
export function LeaveNotFound() {
  const query = useSearchParams().toString();
  const [first] = useState(query);
  useEffect(() => {
    if (query !== first) window.location.reload();
  }, [query, first]);
  return null;
}
