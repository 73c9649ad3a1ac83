import { buildPlainText } from "@/lib/http/plain-text";
import { packageVersion } from "@/lib/version";

/** The version of this server (`api.md` 2.3). */
export function GET() {
  return buildPlainText(packageVersion);
}

export const dynamic = "force-dynamic";
