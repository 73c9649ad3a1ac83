"use client";
import { useEffect } from "react";

/** Puts the address of what is shown into the address bar, without asking the server again. The open tab stays. */
export function KeepAddress({ path }: Readonly<{ path: string }>) {
  useEffect(() => {
    // Every other choice belongs to the path.
    const isHistory = new URLSearchParams(window.location.search).get("tab") === "history";
    const wanted = isHistory ? `${path}${path.includes("?") ? "&" : "?"}tab=history` : path;
    if (`${window.location.pathname}${window.location.search}` !== wanted)
      window.history.replaceState(null, "", wanted);
  }, [path]);
  return null;
}
