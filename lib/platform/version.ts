import { version } from "@/package.json";

export const packageVersion: string = version;
