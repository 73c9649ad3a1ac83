/** Hashes of the style element of sonner (toasts), which is first empty; a test compares them with the package. */
export const toastStyleHashes = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/** The Content-Security-Policy of a page: only scripts of this answer run. Development tools evaluate code. */
export function buildPagePolicy(nonce: string, isDevelopment: boolean): string {
  const styles = isDevelopment ? "'unsafe-inline'" : [`'nonce-${nonce}'`, ...toastStyleHashes].join(" ");
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${styles}`,
    // Positions and sizes that components compute (ADR 20). An attribute styles one element and loads nothing by itself.
    "style-src-attr 'unsafe-inline'",
    // Icons of apps come from wherever the directory says.
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // As X-Frame-Options says.
    "frame-ancestors 'self'",
  ].join("; ");
}

/** Where `proxy.ts` tells a page the nonce of its answer, for styles and scripts that libraries put into it. */
export const nonceHeader = "x-nonce";

/** Where `proxy.ts` writes the path and query of a page: a server component cannot see its own address. */
export const pagePathHeader = "x-page-path";
