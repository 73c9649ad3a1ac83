import { redirect } from "next/navigation";
import { requireAdminPage } from "@/lib/auth/session";

/** The console begins with the apps that wait for a decision. */
export default async function StartPage() {
  await requireAdminPage();
  redirect("/applications");
}
