"one per process";

import { AsyncLocalStorage } from "node:async_hooks";

/** Header in which the console tells a vehicle worker `known` or `stranger` (`processes.md` N3a). No client gets it. */
export const callerHeader = "x-caller";
/** Header in which the console tells a vehicle worker how many milliseconds ago a known caller came, through any of them. */
export const knownAgoHeader = "x-known-ago";

export const sessionCookie = "next-auth.session-token";

const current = new AsyncLocalStorage<(isKnown: boolean) => void>();

export function noticeCaller<T>(note: (isKnown: boolean) => void, work: () => T): T {
  return current.run(note, work);
}

export function noteCaller(isKnown: boolean): void {
  current.getStore()?.(isKnown);
}
