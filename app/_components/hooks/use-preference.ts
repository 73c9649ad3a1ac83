import { useCallback, useSyncExternalStore } from "react";
import { pageSizeCookie } from "@/lib/records/store/listing";

const defaults = {
  timeZone: "local" as "local" | "utc",
  /** Off for people whose assistive technology uses single keys. */
  shortcuts: "on" as "on" | "off",
  pageSize: "50" as "25" | "50" | "100",
};
export type Preferences = typeof defaults;

/** The server needs these for rendering; the others are in `localStorage`. */
const cookies: Readonly<Record<string, string>> = { pageSize: pageSizeCookie };
const yearSeconds = 31_536_000;

const listeners = new Set<() => void>();
const keyOf = (name: string) => `preference:${name}`;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The browser refused to store these: they last until the page is left. */
const unstored = new Map<string, string | null>();

export function readStored(storage: "localStorage" | "sessionStorage", key: string): string | null {
  const kept = unstored.get(key);
  if (kept !== undefined) return kept;
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Null deletes. */
export function writeStored(storage: "localStorage" | "sessionStorage", key: string, text: string | null): void {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

function readCookie(name: string): string | null {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || null;
}

/** Does not cover cookies. */
export function readPreference(name: string): string | null {
  return readStored("localStorage", keyOf(name));
}

/** Null deletes. Notifies the readers. */
export function writePreference(name: string, text: string | null): void {
  writeStored("localStorage", keyOf(name), text);
  for (const listener of listeners) listener();
}

/** For choices outside of `Preferences`, such as the columns of one table. */
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
  return [(text as Preferences[K] | null) ?? defaults[name], set];
}
