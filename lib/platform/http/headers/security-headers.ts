/** Headers of every response (`api.md` 0.9). With `tls`, browsers insist on HTTPS. */
export function securityHeaders(tls: boolean): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
    "Referrer-Policy": "no-referrer",
    ...(tls ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

export const browserHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Keeps other sites from loading a response as an image or script. */
export const ownSiteOnly = { "Cross-Origin-Resource-Policy": "same-origin" } as const;
