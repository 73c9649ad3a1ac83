import { notFound } from "next/navigation";
import { requirePage } from "@/lib/platform/auth/callers/require-page";

/** Every address without a page: not found, within the console. */
export default async function UnknownPage() {
  await requirePage("read");
  notFound();
}
