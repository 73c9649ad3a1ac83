/** How many rows a page of a list has; for server and browser. */
export const pageSizes = [25, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

/** For whoever has not chosen. */
export const defaultPageSize: PageSize = 50;

/** Cookie with the size that was chosen last in this browser: the server must know, or lists would be drawn twice. */
export const pageSizeCookie = "page-size";

/** The size that a text names; null: none of them. */
export function readPageSize(text: string | null | undefined): PageSize | null {
  return pageSizes.find((size) => String(size) === text) ?? null;
}
