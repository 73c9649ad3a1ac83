/** Hashes of sonner's style element (toasts), which is empty at first. A test compares them with the package. */
export const toastStyleHashes = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/** The Content-Security-Policy of a page: only scripts of this response run. Development tools need `eval`. */
export function buildPagePolicy(nonce: string, isDevelopment: boolean): string {
  const styles = isDevelopment ? "'unsafe-inline'" : [`'nonce-${nonce}'`, ...toastStyleHashes].join(" ");
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${styles}`,
    // Positions and sizes computed by components (ADR 20). An attribute styles one element and loads nothing.
    "style-src-attr 'unsafe-inline'",
    // The app directory chooses the hosts of app icons.
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // Same as X-Frame-Options.
    "frame-ancestors 'self'",
  ].join("; ");
}

/** Header in which `proxy.ts` gives a page its nonce, for styles and scripts that libraries insert. */
export const nonceHeader = "x-nonce";

/** Header in which `proxy.ts` gives a page its path and query: a server component cannot see its own address. */
export const pagePathHeader = "x-page-path";
