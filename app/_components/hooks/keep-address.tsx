"use client";
import { useEffect } from "react";

export function KeepAddress({ path }: Readonly<{ path: string }>) {
  useEffect(() => {
    // All other parameters belong to the path.
    const isHistory = new URLSearchParams(window.location.search).get("tab") === "history";
    const wanted = isHistory ? `${path}${path.includes("?") ? "&" : "?"}tab=history` : path;
    if (`${window.location.pathname}${window.location.search}` !== wanted)
      window.history.replaceState(null, "", wanted);
  }, [path]);
  return null;
}
