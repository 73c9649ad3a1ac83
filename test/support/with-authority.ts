import { afterAll } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { createTestAuthority } from "@/test/support/authority";

/** A certificate authority for a test file with a key pair; removed afterwards, together with the worker that used it. */
export function withTestAuthority() {
  const authority = createTestAuthority();
  afterAll(async () => {
    await certificateWorker().stop();
    authority.remove();
  });
  return { authority, pair: authority.aPair() };
}
