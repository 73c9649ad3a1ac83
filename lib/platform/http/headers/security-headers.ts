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

/**
 * What pages and answers for them carry besides: no window of another site holds on to a page of ours, and no device is
 * asked for. Vehicles need none of it.
 */
export const browserHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Other sites may not even load an answer as something else (a picture, a script). */
export const ownSiteOnly = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
