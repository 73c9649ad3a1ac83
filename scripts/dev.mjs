/** `npm run dev`: only the console, on the port, with Next in development. Pages and routes reload, `server/` does not. */
import { bundleServer } from "./bundle.mjs";

process.chdir(new URL("..", import.meta.url).pathname);
process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
await bundleServer();
await import("../dist/main.js");
