/** The headers of every answer (`api.md` 0.9); with `tls`, browsers insist on HTTPS. */
export function securityHeaders(tls: boolean): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    ...(tls ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/** Headers that pages carry besides; vehicles need none of them. */
export const browserHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Other sites may not even load an answer as something else (a picture, a script). */
export const ownSiteOnly = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
