/** Bodies as forms (`api.md` 0.2): what the description of the API says is taken is taken. */
import qs from "qs";
import { expect, it } from "vitest";
import { routeSections } from "@/app/_api/routes";
import { buildDocument, type documentedMethods } from "@/app/_api/openapi/build-document";
import { contextOf, requestOf, withApi } from "@/test/support/api";
import { apiMethods, mayFail } from "@/test/support/route-calls";

const api = withApi();
const { paths } = buildDocument(routeSections, "1.2.3");
const formType = "application/x-www-form-urlencoded";

const withForms = apiMethods.filter(({ path, method }) => {
  const operation = paths[path]?.[method.toLowerCase() as Lowercase<(typeof documentedMethods)[number]>];
  return operation?.requestBody?.content[formType] !== undefined;
});

it("finding D1: forms are advertised for most routes that take a body", () =>
  expect(withForms.length).toBeGreaterThan(20));

it.each(withForms)("finding D1: $name takes the same body as a form", async (route) => {
  for (const call of api.calls()[route.name] ?? []) {
    if (call.body === undefined) continue;
    const { url, method, headers } = requestOf(route, call);
    headers.set("Content-Type", formType);
    const form = qs.stringify(call.body, { allowEmptyArrays: true, strictNullHandling: true });
    const response = await route.handler(new Request(url, { method, headers, body: form }), contextOf(call));
    if (mayFail(route.name, response.status)) continue;
    expect(response.status, await response.text()).toBe(200);
  }
});
