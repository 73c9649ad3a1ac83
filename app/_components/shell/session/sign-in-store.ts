"use client";

type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

/** The dialog of the shell registers itself here. */
export function registerSignIn(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Has the reader sign in over the page. Gives whether there is a session again. */
export function requestSignIn(): Promise<boolean> {
  return asker === null ? Promise.resolve(false) : asker();
}
