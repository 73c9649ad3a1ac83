/** Alias of `module/promote` for older clients (`api.md` 13.5). */
export { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } from "@/app/api/v1/module/promote/route";
