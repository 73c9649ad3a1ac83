import { describe, expect, it } from "vitest";
import { acceptBodyOfGet } from "@/server/prepare-for-next";

const methodOf = (method: string, url: string, headers: Record<string, string>) => {
  const request = { method, url, headers };
  acceptBodyOfGet(request);
  return request.method;
};
const body = { "content-length": "20" };
const path = "/api/v1/applications/certificate/get";

describe("a GET with a body (api.md 6.1)", () => {
  it.each([path, `${path}/`, `${path}?appId=x`, "/api/1/applications/certificate/get"])(
    "is a POST to Next: %s",
    (url) => {
      expect(methodOf("GET", url, body)).toBe("POST");
      expect(methodOf("GET", url, { "transfer-encoding": "chunked" })).toBe("POST");
    },
  );

  it("stays what it is without a body, on other paths and with other methods", () => {
    expect(methodOf("GET", path, {})).toBe("GET");
    expect(methodOf("GET", path, { "content-length": "0" })).toBe("GET");
    expect(methodOf("GET", "/api/v1/applications/certificate", body)).toBe("GET");
    expect(methodOf("GET", `${path}/more`, body)).toBe("GET");
    expect(methodOf("DELETE", path, body)).toBe("DELETE");
  });
});
