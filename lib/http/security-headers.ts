/**
 * The headers every answer of this server carries (`api.md` 0.9).
 *
 * @param tls whether HTTPS is on; only then are browsers told to insist on it
 */
export function securityHeaders(tls: boolean): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    ...(tls ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}
