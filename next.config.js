import { directive } from "./scripts/one-per-process.mjs";
import { sourceStamp } from "./scripts/stamp.mjs";

/** As in `lib/platform/http/headers/security-headers.ts`, which a configuration file cannot import; a test compares them. */
export const pageHeaders = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "SAMEORIGIN",
  "X-DNS-Prefetch-Control": "off",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const testFolder = process.env.DEV_BUILD_DIR;

/** @type {import("next").NextConfig} */
export default {
  // A test of `npm run dev` has a folder of its own: another one may run in this checkout.
  distDir: testFolder ?? ".next",
  // The same sources make the same build (`docs/spec/operations.md` O11).
  generateBuildId: () => sourceStamp().slice(-20),
  poweredByHeader: false,
  // Pages, scripts and answers of the API. The answers for vehicles never come here: they are joined from parts that are
  // compressed already.
  compress: true,
  // One copy of the driver in the process, shared by the server entry and by the pages.
  serverExternalPackages: ["mongoose", "mongodb", "pino", "node-forge", "undici"],
  images: { unoptimized: true },
  // Both spellings of a path are the same route; a redirect would lose the body of a POST for many clients.
  skipTrailingSlashRedirect: true,
  // `npm test` checks types, tests included; a build on an operator's host need not do it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    root: import.meta.dirname,
    rules: {
      "*.ts": {
        condition: { all: ["node", { content: directive }] },
        loaders: [`${import.meta.dirname}/scripts/one-per-process.mjs`],
        as: "*.js",
      },
    },
  },
  // Paths of the API are case-sensitive, its alias prefix included. The folder of the program is never written: it may be
  // read-only.
  experimental: {
    caseSensitiveRoutes: true,
    preloadEntriesOnStart: false,
    isrFlushToDisk: false,
    turbopackFileSystemCacheForDev: testFolder === undefined,
    // With a server of our own, a step to another page would wait forever for debug information that only Next's server sends.
    reactDebugChannel: false,
  },
  // Pages and static files; routes and the server entry set them by themselves. Whether TLS is on is known only at run
  // time: the server entry adds that header.
  headers: () => [{ source: "/:path*", headers: Object.entries(pageHeaders).map(([key, value]) => ({ key, value })) }],
  rewrites: () => [
    // The spelling existing clients use. Not a folder of its own: some file systems take the two names for one.
    { source: "/api/:version(1|v1)/applications/rpcencryption", destination: "/api/v1/applications/rpcEncryption" },
    { source: "/api/1/:path*", destination: "/api/v1/:path*" },
  ],
};
