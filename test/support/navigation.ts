import { vi } from "vitest";

/** What pages under test navigate with, and the request that they are rendered for; `ui.ts` puts them in place. */
export const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
export const requestHeaders = new Headers();
export const cookies = new Map<string, { readonly value: string }>();

/** Changes the address without a navigation. */
export function goTo(path: string): void {
  window.history.replaceState(null, "", path);
}

export function forgetNavigation(): void {
  for (const name of [...requestHeaders.keys()]) requestHeaders.delete(name);
  cookies.clear();
  goTo("/");
}
