import { unknownPath } from "@/app/_api/api-route";

/** The path of webhooks is `/api/v1/webhook`; this one must not return a page that looks like success. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath;
