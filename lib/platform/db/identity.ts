import { readDatabaseFacts } from "@/lib/platform/db/connection/database-facts";
import { readRevision } from "@/lib/platform/db/revision";

/** Which database this is, and how far it is (`processes.md` N15a). Throws as `readDatabaseFacts`. */
export async function readIdentity() {
  return { ...(await readDatabaseFacts()), revision: await readRevision() };
}
