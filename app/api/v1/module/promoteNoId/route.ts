/** The same as `module/promote`, under the name that older clients use (`api.md` 13.5). */
export { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } from "@/app/api/v1/module/promote/route";
