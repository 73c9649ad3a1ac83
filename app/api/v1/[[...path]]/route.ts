import { unknownPath } from "@/app/_api/api-route";

/** 404 in the envelope, never a page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath;
