"use client";
import { useEffect } from "react";

/** Puts the address of what is shown into the address bar, without asking the server again. The open tab stays. */
export function KeepAddress({ path }: Readonly<{ path: string }>) {
  useEffect(() => {
    const tab = new URLSearchParams(window.location.search).get("tab");
    const wanted = tab === null ? path : `${path}${path.includes("?") ? "&" : "?"}tab=${encodeURIComponent(tab)}`;
    if (`${window.location.pathname}${window.location.search}` !== wanted)
      window.history.replaceState(null, "", wanted);
  }, [path]);
  return null;
}
