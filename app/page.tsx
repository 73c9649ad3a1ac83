import { redirect } from "next/navigation";
import { requirePage } from "@/lib/platform/auth/callers/require-page";

/** The console begins with the apps that wait for a decision. */
export default async function StartPage() {
  await requirePage("read");
  redirect("/applications");
}
