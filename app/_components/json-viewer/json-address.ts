"use client";

/** Keeps the shown part and the search in the address; the router of Next learns of it, and loads nothing. */
export function writeAddress(path: string, search: string): void {
  const address = new URL(window.location.href);
  for (const [name, text] of [
    ["path", path],
    ["q", search],
  ] as const) {
    if (text === "") address.searchParams.delete(name);
    else address.searchParams.set(name, text);
  }
  if (address.href !== window.location.href) window.history.replaceState(null, "", address);
}

/** Has the browser store a value as a file. */
export function downloadJson(value: unknown, fileName: string): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
