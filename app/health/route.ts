import { buildPlainText } from "@/lib/http/plain-text";

/** Says that the process answers; touches neither the database nor the policy (`api.md` 2.2). */
export function GET() {
  return buildPlainText("OK");
}

export const dynamic = "force-dynamic";
