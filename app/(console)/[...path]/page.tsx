import { notFound } from "next/navigation";
import { requirePage } from "@/lib/platform/auth/callers/require-page";

/** Answers unknown addresses: not found, within the console. */
export default async function UnknownPage() {
  await requirePage("read");
  notFound();
}
