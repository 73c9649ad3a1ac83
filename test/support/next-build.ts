import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@/test/support/temporary-folder";

const escape = (text: string) => text.replace(/[.\-\\]/g, "\\$&");
const fixed = (page: string) => ({ page, regex: `^${escape(page)}(?:/)?$` });

export function aNextBuild(): { build: string; files: string } {
  const root = temporaryFolder();
  const [build, files] = [path.join(root, ".next"), path.join(root, "public")];
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  write(path.join(files, "images/lock-screen.png"), "a picture");
  write(path.join(build, "static/chunks/a~b.js"), "a script");
  const manifest = {
    version: 3,
    caseSensitive: true,
    staticRoutes: [
      { page: "/", regex: "^/(?:/)?$" },
      ...["/_global-error", "/_not-found", "/about", "/api/v1/groups", "/health", "/login", "/webhooks"].map(fixed),
      ...["/api/v1/applications/rpcEncryption", "/icon.svg"].map(fixed),
    ],
    dynamicRoutes: [
      { page: "/api/auth/[...nextauth]", regex: "^/api/auth/(.+?)(?:/)?$" },
      { page: "/api/v1/[[...path]]", regex: "^/api/v1(?:/(.+?))?(?:/)?$" },
      { page: "/applications/[id]", regex: "^/applications/([^/]+?)(?:/)?$" },
      { page: "/bundles/[name]", regex: "^/bundles/([^/]+?)(?:/)?$" },
      { page: "/[...path]", regex: "^/(.+?)(?:/)?$" },
    ],
    rewrites: {
      afterFiles: [
        {
          source: "/api/:version(1|v1)/applications/rpcencryption",
          destination: "/api/v1/applications/rpcEncryption",
          regex: "^/api(?:/(1|v1))/applications/rpcencryption(?:/)?$",
        },
        {
          source: "/api/1/:path*",
          destination: "/api/v1/:path*",
          regex: "^/api/1(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?(?:/)?$",
        },
      ],
    },
  };
  write(path.join(build, "routes-manifest.json"), JSON.stringify(manifest));
  const paths = {
    "/page": "/",
    "/(console)/about/page": "/about",
    "/(console)/applications/[id]/page": "/applications/[id]",
    "/(console)/[...path]/page": "/[...path]",
    "/(auth)/login/page": "/login",
    "/api/v1/groups/route": "/api/v1/groups",
    "/health/route": "/health",
  };
  write(path.join(build, "app-path-routes-manifest.json"), JSON.stringify(paths));
  return { build, files };
}
