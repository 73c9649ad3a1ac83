"use client";

const name = "policy-server-session";

/** Tells the other tabs that the session is over. */
export function announceSignOut(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(name);
  channel.postMessage("signed-out");
  channel.close();
}

/** Calls `listener` when another tab signs out. Gives what stops it. */
export function onSignOut(listener: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = () => {
    listener();
  };
  return () => {
    channel.close();
  };
}
