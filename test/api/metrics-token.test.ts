import { expect, it } from "vitest";
import * as groupsRoute from "@/app/api/v1/groups/route";
import * as metricsRoute from "@/app/metrics/route";
import { password, withApi } from "@/test/support/api";
import { aRequest } from "@/test/support/requests";

const api = withApi();
const token = "a-token-of-more-than-32-characters";
const secured = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password };
const bearer = (text: string) => ({ headers: { Authorization: `Bearer ${text}` } });

it("finding B11: METRICS_TOKEN opens the figures and nothing else", async () => {
  api.use({ ...secured, METRICS_TOKEN: token });
  const response = await metricsRoute.GET(aRequest("/metrics", bearer(token)));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("# HELP");
  expect((await groupsRoute.GET(aRequest("/api/v1/groups", bearer(token)))).status).toBe(401);
  for (const wrong of ["", token.slice(1), `${token}x`]) {
    expect((await metricsRoute.GET(aRequest("/metrics", bearer(wrong)))).status).toBe(401);
  }
});

it("finding B11: without the setting no bearer token opens them", async () => {
  api.use(secured);
  for (const text of ["", "null", "undefined", token]) {
    expect((await metricsRoute.GET(aRequest("/metrics", bearer(text)))).status).toBe(401);
  }
});
