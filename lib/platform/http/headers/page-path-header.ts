/** Where `proxy.ts` writes the path and query of a page: a server component cannot see its own address. */
export const pagePathHeader = "x-page-path";
