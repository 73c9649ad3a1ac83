import { expect, it } from "vitest";
import { browserHeaders, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { pageHeaders } from "@/next.config";

it("0.9: pages get the same headers as routes", () =>
  expect(pageHeaders).toEqual({ ...securityHeaders(false), ...browserHeaders }));
