import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isAdmin } from "@/lib/auth/admin";
import { pagePathHeader } from "@/lib/auth/page-path-header";
import { buildLoginPath } from "@/lib/auth/safe-path";

/**
 * Lets administrators see a page; sends everybody else to the login page and from there back. The first line of every
 * page of the console.
 */
export async function requireAdminPage(): Promise<void> {
  const requestHeaders = await headers();
  if (!(await isAdmin(requestHeaders))) redirect(buildLoginPath(requestHeaders.get(pagePathHeader)));
}
