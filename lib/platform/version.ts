import { version } from "@/package.json";

/** The version of this server, as in `package.json`. */
export const packageVersion: string = version;
