"use client";
import { useEffect } from "react";

/** Puts the address of what is shown into the address bar, without asking the server again. */
export function KeepAddress({ path }: Readonly<{ path: string }>) {
  useEffect(() => {
    if (`${window.location.pathname}${window.location.search}` !== path) window.history.replaceState(null, "", path);
  }, [path]);
  return null;
}
