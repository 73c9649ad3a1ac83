"use client";
import { listDirty } from "@/app/_components/form/leave-guard-store";
import { loadPage } from "@/app/_components/shell/navigation/load-page";
import { requestSignIn } from "@/app/_components/shell/session/sign-in-store";

/**
 * The session is over: the reader signs in over the page where something would be lost, else the login page comes and
 * leads back. Gives whether there is a session again.
 */
export function endSession({ mustStay = false }: Readonly<{ mustStay?: boolean }> = {}): Promise<boolean> {
  if (mustStay || listDirty().length > 0) return requestSignIn();
  const { pathname, search } = window.location;
  loadPage(`/login?${new URLSearchParams({ redirect: pathname + search }).toString()}`);
  return Promise.resolve(false);
}
