/** `npm run dev`: Next in development under the same server entry; pages and routes reload, `server.ts` does not. */
import { bundleServer } from "./bundle.mjs";

process.chdir(new URL("..", import.meta.url).pathname);
process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
await bundleServer();
await import("../dist/server.js");
