import { unknownPath } from "@/lib/routes/route";

/** 404 in the envelope, never a page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath;
