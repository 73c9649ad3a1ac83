import "server-only";
import { recordAuditEventLater } from "@/lib/audit/commands";
import { findClientAddress } from "@/lib/http/read/client-address";
import { readWriterName } from "@/lib/http/read/read-writer-name";

/**
 * Records a sign-in, or one that failed, with the address it came from. Nobody waits for it: the login works while the
 * database is away, and only the log tells of it then.
 */
export function recordSignIn(headers: Headers, hasSucceeded: boolean): void {
  recordAuditEventLater(
    { actor: hasSucceeded ? "admin" : "public", route: "login", requestId: null, ...readWriterName(headers) },
    {
      action: hasSucceeded ? "login.succeed" : "login.fail",
      target: "login",
      after: { address: findClientAddress(headers) },
    },
  );
}
