/**
 * The Content-Security-Policy of a page: nothing from elsewhere runs, and no script that is not of this answer. Next
 * reads the nonce from here and puts it on its own scripts.
 *
 * @param nonce new for every answer
 * @param isDevelopment development tools evaluate code and put styles into the page
 */
export function buildPagePolicy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
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
