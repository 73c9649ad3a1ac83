import { afterAll } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { createTestAuthority } from "@/test/support/authority";

/** A certificate authority of a test file, and a pair of it; it is gone afterwards, and so is the process that used it. */
export function withTestAuthority() {
  const authority = createTestAuthority();
  afterAll(async () => {
    await certificateWorker().stop();
    authority.remove();
  });
  return { authority, pair: authority.aPair() };
}
