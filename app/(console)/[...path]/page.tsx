import { notFound } from "next/navigation";
import { requirePage } from "@/lib/platform/auth/callers/require-page";

export default async function UnknownPage() {
  await requirePage("read");
  notFound();
}
