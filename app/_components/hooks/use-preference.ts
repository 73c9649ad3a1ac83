import { useCallback, useSyncExternalStore } from "react";
import { pageSizeCookie } from "@/lib/content/records/listing";

/** Preferences stored in this browser, with their defaults. */
const defaults = {
  timeZone: "local" as "local" | "utc",
  /** Single keys, `/` and those of the review panel; off for people whose assistive technology uses them. */
  shortcuts: "on" as "on" | "off",
  pageSize: "50" as "25" | "50" | "100",
};
export type Preferences = typeof defaults;

/** Preferences that the server needs for rendering are in these cookies, the others in `localStorage`. */
const cookies: Readonly<Record<string, string>> = { pageSize: pageSizeCookie };
const yearSeconds = 31_536_000;

const listeners = new Set<() => void>();
const keyOf = (name: string) => `preference:${name}`;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has changed it.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Values that the browser refused to store: they last until the page is left. */
const unstored = new Map<string, string | null>();

/** Reads a stored string, or null. */
export function readStored(storage: "localStorage" | "sessionStorage", key: string): string | null {
  const kept = unstored.get(key);
  if (kept !== undefined) return kept;
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a string; null deletes it. */
export function writeStored(storage: "localStorage" | "sessionStorage", key: string, text: string | null): void {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

/** The value of a cookie, or null. */
function readCookie(name: string): string | null {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || null;
}

/** The present value of a `useStoredText` name; does not cover cookies. */
export function readPreference(name: string): string | null {
  return readStored("localStorage", keyOf(name));
}

/** Stores such a string (null deletes it) and notifies its readers. */
export function writePreference(name: string, text: string | null): void {
  writeStored("localStorage", keyOf(name), text);
  for (const listener of listeners) listener();
}

/** A string in `localStorage`, for choices outside of `Preferences`, such as the columns of one table. */
export function useStoredText(name: string): readonly [text: string | null, set: (text: string | null) => void] {
  const key = keyOf(name);
  const cookie = cookies[name];
  const text = useSyncExternalStore(
    subscribe,
    () => (cookie === undefined ? readStored("localStorage", key) : readCookie(cookie)),
    () => null,
  );
  const set = useCallback(
    (next: string | null) => {
      if (cookie === undefined) writePreference(name, next);
      else {
        document.cookie = `${cookie}=${next ?? ""}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
        for (const listener of listeners) listener();
      }
    },
    [name, cookie],
  );
  return [text, set];
}

export function usePreference<K extends keyof Preferences>(
  name: K,
): readonly [value: Preferences[K], set: (value: Preferences[K]) => void] {
  const [text, set] = useStoredText(name);
  // Only this hook writes the value.
  return [(text as Preferences[K] | null) ?? defaults[name], set];
}
