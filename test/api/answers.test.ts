import { describe, expect, it } from "vitest";
import { emptyAnswer, envelopeAnswer, errorAnswer } from "@/lib/platform/http/answer-schema";
import { contextOf, requestOf, withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { apiMethods, mayFail, routeMethods } from "@/test/support/route-calls";
import { storeFleet } from "@/test/support/fleet";
import { store, storePermission, storeVehicleData } from "@/test/support/stored-records";

const api = withApi();

describe("what routes answer is what they say they answer", () => {
  it("for requests of every route", () =>
    expect(Object.keys(api.calls()).sort()).toEqual(apiMethods.map(({ name }) => name).sort()));

  it.each(apiMethods)("$name", async (route) => {
    const schema = envelopeAnswer(route.facts.answer ?? emptyAnswer);
    for (const call of api.calls()[route.name] ?? []) {
      const response = await route.handler(requestOf(route, call), contextOf(call));
      const body: any = await response.json();
      if (mayFail(route.name, response.status)) continue;
      expect(response.status, JSON.stringify(body.meta)).toBe(200);
      const { error, data } = schema.safeParse(body);
      expect(error?.issues, JSON.stringify(call)).toBeUndefined();
      // Parsing drops what the schema does not know.
      expect(data).toEqual(body);
    }
  });

  it("shows something in every list", async () => {
    await store(async (tx) => {
      await storePermission(tx, "InNoGroup");
      await storeVehicleData(tx, "inStagingOnly", "STAGING");
    });
    await storeFleet("staging");
    for (const { name, handler } of apiMethods.filter(({ method }) => method === "GET")) {
      if (name.includes("certificate") || name.includes("store/staging")) continue;
      const { data } = await readAnswer(await handler(aRequest("/?environment=staging")));
      for (const [member, list] of Object.entries(data)) {
        // That nothing is wrong, or left to do, is an answer; and the caller has not signed in.
        if (Array.isArray(list) && !["checks", "findings", "sessions", "steps"].includes(member))
          expect(list.length, `${name} ${member}`).toBeGreaterThan(0);
      }
    }
  });

  it("for refusals", async () => {
    for (const { handler, method, path } of apiMethods.filter(({ facts }) => facts.input.query)) {
      const response = await handler(aRequest(`${path}?id=x&app_id=x&limit=x&transport_type=x`, { method }));
      if (response.ok) continue;
      expect(errorAnswer.safeParse(await response.json()).error?.issues).toBeUndefined();
    }
  });

  it.each(routeMethods.filter(({ facts }) => facts.form === "json"))("$name", async ({ handler, path, facts }) => {
    const body: unknown = await (await handler(aRequest(path))).json();
    expect(facts.answer?.safeParse(body).error?.issues).toBeUndefined();
    expect(facts.answer?.parse(body)).toEqual(body);
  });
});
