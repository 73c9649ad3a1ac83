import { unknownPath } from "@/lib/routes/route";

/** Whatever no other route file answers is unknown: 404 in the envelope, never a page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath;
