import { readdirSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { routeSections } from "@/app/_api/routes";
import * as openapi from "@/app/api/v1/openapi.json/route";
import { sessionCookieName } from "@/lib/platform/auth/session-cookie";
import { factsOf, needOf } from "@/app/_api/route-facts";
import { buildDocument, documentedMethods } from "@/app/_api/openapi/build-document";
import type { Operation } from "@/app/_api/openapi/document";
import { aRequest } from "@/test/support/requests";
import { routeMethods } from "@/test/support/route-calls";

const listed = routeSections.flatMap(({ routes }) => routes);
const document = buildDocument(routeSections, "1.2.3");
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);
const operationOf = (name: string) => new Map<string, Operation>(operations).get(name)!;

const folderOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, "[$1]");

/** Paths that are no part of the API: what answers where nothing else does, and files. */
const unlisted = ["/api/v1/[[...path]]", "/webhooks", "/bundles/[name]"];

function listSchemas(value: unknown, place: string): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const path = `${place}/${name}`;
    if (name === "schema") return [[path, member]];
    if (path === "/components/schemas") {
      return Object.entries(member as object).map(([part, schema]) => [`${path}/${part}`, schema]);
    }
    return listSchemas(member, path);
  });
}

describe("the list of routes", () => {
  it("holds every route file, and each once", () => {
    const files = readdirSync("app", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("/route.ts") && !file.startsWith("api/auth/"))
      .map((file) => `/${file.slice(0, -"/route.ts".length)}`)
      .filter((path) => !unlisted.includes(path));
    expect(
      listed.map(({ path }) => folderOf(path)).sort(),
      "a folder of new route files belongs to a section of app/_api/routes.ts",
    ).toEqual(files.sort());
  });

  it("names the right file for each path", async () => {
    for (const { path, handlers } of listed) {
      expect(await import(/* @vite-ignore */ `${process.cwd()}/app${folderOf(path)}/route.ts`), path).toBe(handlers);
    }
  });

  it.each(listed.map(({ path, handlers }) => [path, handlers] as const))("%s says what it does", (_, handlers) => {
    const facts = documentedMethods.flatMap((method) => factsOf(handlers[method]) ?? []);
    expect(facts).not.toEqual([]);
    for (const { summary } of facts) expect(summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

describe("the document", () => {
  it("is valid OpenAPI 3.1", async () =>
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true, warnings: [] }));

  it("finding D1: every schema in it is one of JSON Schema 2020-12, which OpenAPI 3.1 builds on", () => {
    const ajv = new Ajv2020({ strict: false });
    const wrong = listSchemas(document, "").flatMap(([place, schema]) =>
      ajv.validateSchema(schema as object) ? [] : [`${place}: ${ajv.errorsText()}`],
    );
    expect(wrong).toEqual([]);
    expect(listSchemas(document, "").length).toBeGreaterThan(100);
    // The validator sees what was wrong once.
    expect(ajv.validateSchema({ type: "array", prefixItems: [] })).toBe(false);
  });

  it("finding D1: names the failures that only some routes have", () => {
    const failing = (status: string) =>
      operations.filter(([, { responses }]) => status in responses).map(([name]) => name);
    expect(failing("429")).toContain("POST /api/v1/login");
    expect(Object.keys(operationOf("POST /api/v1/login").responses)).toEqual(expect.arrayContaining(["401", "429"]));
    expect(Object.keys(operationOf("POST /api/v1/ui/sync").responses)).toEqual(expect.arrayContaining(["400", "409"]));
    const { headers } = document.components.responses.TooManyRequests!;
    expect(headers).toHaveProperty("Retry-After");
  });

  it("is served without the envelope, so that tools can read it", async () => {
    const response = await openapi.GET(aRequest("/api/v1/openapi.json"));
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await response.json()).paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
  });

  it("has an operation id of its own for every operation", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("refers to nothing that it does not hold", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(100);
    const components = document.components as any;
    for (const [, kind, name] of refs) expect(components[kind!]?.[name!], `${kind}/${name}`).toBeDefined();
    expect(JSON.stringify(document)).not.toContain("$defs");
  });

  it("says what a body must hold, also where code checks it", () => {
    const required = (name: string) =>
      operationOf(name).requestBody?.content["application/json"]?.schema.required?.toSorted();
    expect(required("POST /api/v1/groups")).toEqual(["is_default", "name", "rpcs"]);
    expect(required("POST /api/v1/vehicle-data")).toEqual(["key", "name", "type"]);
    expect(required("POST /api/v1/module")).toHaveLength(8);
    expect(required("POST /api/v1/applications/certificate")).toEqual(["options"]);
    expect(required("POST /api/v1/module/promote")).toBeUndefined();
  });

  it("says what a query may hold", () => {
    const parameters = operationOf("GET /api/v1/groups").parameters!;
    expect(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))).toMatchObject({
      environment: { type: "string", enum: ["staging", "production"], default: "production" },
      id: { type: "integer" },
      template: { type: "boolean", default: false },
      limit: { type: "integer", minimum: 1, maximum: 1000 },
      sort: { type: "string", enum: ["name", "-name", "id", "-id"], default: "name" },
    });
    expect(parameters.every(({ required }) => !required)).toBe(true);
  });

  it("says which files a route answers with", () => {
    const { content } = operationOf("GET /api/v1/ui/applications/export").responses["200"] as any;
    expect(content["text/csv"].schema).toEqual({ type: "string" });
    expect(content["application/json"].schema.properties.applications.items).toEqual({
      $ref: "#/components/schemas/Application",
    });
  });

  it("0.6: says who may call", () => {
    expect(operationOf("GET /api/v1/groups").security).toEqual([{ password: [] }, { session: [] }, { token: [] }]);
    expect(operationOf("POST /api/v1/webhook").security).toEqual([{ webhookKey: [] }]);
    expect(operationOf("POST /api/v1/production/policy").security).toEqual([]);
    const { session } = document.components.securitySchemes;
    expect(session).toMatchObject({ name: sessionCookieName(false) });
  });

  it("P7: says which role each operation needs, and what needs more", () => {
    const roleOf = (name: string) => operationOf(name).description;
    expect(roleOf("GET /api/v1/groups")).toBe("Needs the role `viewer`.");
    expect(roleOf("POST /api/v1/groups")).toBe("Needs the role `editor`.");
    expect(roleOf("POST /api/v1/groups/promote")).toBe("Needs the role `publisher`.");
    expect(roleOf("POST /api/v1/security/private")).toBe("Needs the role `admin`.");
    expect(roleOf("POST /api/v1/applications/action")).toMatch(/`editor`.*block.*needs the role `publisher`/);
    expect(roleOf("POST /api/v1/webhook")).toBeUndefined();
    const silent = routeMethods.filter(({ name, facts }) => needOf(facts) !== null && !roleOf(name)?.includes("role"));
    expect(silent).toEqual([]);
  });

  it("names conflicts of edits and refusals of promotions and decisions", () => {
    expect(
      operations
        .filter(([, { responses }]) => "409" in responses)
        .map(([name]) => name)
        .sort(),
    ).toEqual(
      ["groups", "messages", "module", "vehicle-data"]
        .flatMap((path) => [`POST /api/v1/${path}`, `POST /api/v1/${path}/promote`])
        .concat("POST /api/v1/module/promoteNoId", "POST /api/v1/applications/action", "POST /api/v1/ui/sync")
        .concat("POST /api/v1/history/{family}/{key}/restore", "PATCH /api/v1/releases/scheduled/{id}")
        .concat("POST /api/v1/releases", "POST /api/v1/releases/{n}/return", "POST /api/v1/releases/approvals/{id}")
        .concat("POST /api/v1/releases/approvals/{id}/reject")
        .concat(
          ["administrator", "auto", "hybrid", "passthrough", "priority"].map(
            (flag) => `POST /api/v1/applications/${flag}`,
          ),
        )
        .concat("PUT /api/v1/applications/rpcEncryption", "POST /api/v1/exchange")
        .concat(["advance", "cancel", "finish", "pause", "resume"].map((act) => `POST /api/v1/rollouts/current/${act}`))
        .sort(),
    );
    for (const read of ["policy/matrix", "ui/permissions/use"]) {
      const [, { responses }] = operations.find(([name]) => name === `GET /api/v1/${read}`)!;
      expect(responses, read).toHaveProperty("404");
    }
  });
});
