import { afterAll } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { createTestAuthority } from "@/test/support/authority";

export function withTestAuthority() {
  const authority = createTestAuthority();
  afterAll(() => certificateWorker().stop());
  return { authority, pair: authority.aPair() };
}
