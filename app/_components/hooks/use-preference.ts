import { useCallback, useSyncExternalStore } from "react";
import { pageSizeCookie } from "@/lib/content/records/listing";

/** What a reader may choose for this browser, with the values that hold until then. */
const defaults = {
  timeZone: "local" as "local" | "utc",
  density: "comfortable" as "comfortable" | "compact",
  /** Single keys such as `/` and `g a`; off for those whose aids use them. */
  shortcuts: "on" as "on" | "off",
  pageSize: "50" as "25" | "50" | "100",
};
export type Preferences = typeof defaults;

/** Preferences that the server must know when it draws a page lie in these cookies, the others in `localStorage`. */
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

/** What the browser refused to keep: it then holds until the page is left. */
const unstored = new Map<string, string | null>();

/** Reads a stored text, or null. */
export function readStored(storage: "localStorage" | "sessionStorage", key: string): string | null {
  const kept = unstored.get(key);
  if (kept !== undefined) return kept;
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or with null removes it. */
export function writeStored(storage: "localStorage" | "sessionStorage", key: string, text: string | null): void {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

/** What a cookie says, or null. */
function readCookie(name: string): string | null {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || null;
}

/** What `useStoredText` stores under a name, at this moment; not for what lies in a cookie. */
export function readPreference(name: string): string | null {
  return readStored("localStorage", keyOf(name));
}

/** Stores such a text, with null removes it, and tells who shows it. */
export function writePreference(name: string, text: string | null): void {
  writeStored("localStorage", keyOf(name), text);
  for (const listener of listeners) listener();
}

/** A text in `localStorage`, for choices that are not in `Preferences`, such as the columns of one table. */
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
  // What is stored was written here.
  return [(text as Preferences[K] | null) ?? defaults[name], set];
}
