import { notFound } from "next/navigation";
import { requireAdminPage } from "@/lib/auth/session";

/** Every address without a page: not found, within the console. */
export default async function UnknownPage() {
  await requireAdminPage();
  notFound();
}
