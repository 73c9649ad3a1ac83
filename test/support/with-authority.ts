import { afterAll } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { createTestAuthority } from "@/test/support/authority";

export function withTestAuthority() {
  const authority = createTestAuthority();
  afterAll(async () => {
    await certificateWorker().stop();
    authority.remove();
  });
  return { authority, pair: authority.aPair() };
}
