/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // The server compresses what is worth compressing itself; the policy answer is joined from ready-made parts.
  compress: false,
  // One copy of the driver in the process, shared by the server entry and by the pages.
  serverExternalPackages: ["mongoose", "mongodb", "pino", "node-forge"],
  images: { unoptimized: true },
  // Both spellings of a path are the same route; a redirect would lose the body of a POST for many clients.
  skipTrailingSlashRedirect: true,
  turbopack: { root: import.meta.dirname },
  rewrites: () => [{ source: "/api/1/:path*", destination: "/api/v1/:path*" }],
};
