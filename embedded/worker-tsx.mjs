// Starts worker.ts from source, for development and tests; a build has its own bundle of it instead.
import { register } from "tsx/esm/api";

register();
await import("./worker.ts");
