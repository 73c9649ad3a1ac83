import { emptyAnswer, envelopeAnswer, errorAnswer } from "@/lib/platform/http/answer-schema";
import { factsOf, needOf, type RouteFacts } from "@/app/_api/route-facts";
import type { Content, OpenApiDocument, Operation } from "@/app/_api/openapi/document";
import { errorResponses, listErrors, securityOf, securitySchemes } from "@/app/_api/openapi/errors";
import { roleFor } from "@/lib/vocabulary/roles";
import {
  buildInputSchema,
  buildOutputSchema,
  type JsonSchema,
  type SchemaWithParts,
} from "@/lib/platform/zod/json-schema";
import { capital } from "@/lib/vocabulary/format-number";

export interface RouteSection {
  readonly name: string;
  readonly about: string;
  readonly routes: readonly RoutePath[];
}

export interface RoutePath {
  readonly path: string;
  readonly handlers: Readonly<Partial<Record<string, unknown>>>;
}

export const documentedMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const introduction = `Answers are JSON in an envelope with \`meta\` (request id, status, message) and \`data\`. \
Every path under \`/api/v1\` is also served under \`/api/1\`. Bodies are JSON or forms with nested keys in brackets, at \
most 1 MiB; unknown members and parameters are ignored, and of a repeated parameter the first value counts. A method \
that a path does not have gets 405 with \`Allow\`, an unknown path 404.

A client that changes something may name its user in \`X-Display-Name\` (percent-encoded UTF-8, at most 80 characters). \
The audit trail keeps the name as self-declared (\`display_name\`). It proves nothing and grants nothing; a malformed name \
is ignored. If a proxy in front authenticates users, their name is kept instead, as verified \
(\`display_name_verified\`).

Each role includes those before it: \`viewer\` reads, \`editor\` changes staging and blocks apps in an emergency, \
\`publisher\` changes production, \`admin\` handles private keys, tokens and the server itself. Each operation names the \
role it needs, and so does 403. Programs send an API token as \`Authorization: Bearer …\`. Callers with the password of \
\`AUTH_TYPE=basic\` are administrators. If no sign-in is required, everybody is an administrator.`;

export function buildDocument(sections: readonly RouteSection[], version: string): OpenApiDocument {
  const parts: Record<string, JsonSchema> = {};
  const keep = ({ schema, parts: own }: SchemaWithParts): JsonSchema => {
    Object.assign(parts, own);
    return schema;
  };
  const error = keep(buildOutputSchema(errorAnswer));
  const paths = sections.flatMap((section) =>
    section.routes.map((route) => [route.path, buildPathItem(route, section.name, keep)] as const),
  );
  return {
    openapi: "3.1.0",
    info: { title: "Open Policy Server", version, description: introduction },
    servers: [{ url: "/" }],
    tags: sections.map(({ name, about }) => ({ name, description: about })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: errorResponses(error),
      securitySchemes,
    },
  };
}

type Keep = (schema: SchemaWithParts) => JsonSchema;

function buildPathItem(route: RoutePath, tag: string, keep: Keep) {
  const operations = documentedMethods.flatMap((method) => {
    const facts = factsOf(route.handlers[method]);
    return facts === null ? [] : [[method.toLowerCase(), buildOperation(route, method, facts, tag, keep)] as const];
  });
  return Object.fromEntries(operations);
}

function buildOperation(
  { path }: RoutePath,
  method: (typeof documentedMethods)[number],
  facts: RouteFacts,
  tag: string,
  keep: Keep,
): Operation {
  const query = facts.input.query && keep(buildInputSchema(facts.input.query));
  const params = facts.input.params && keep(buildInputSchema(facts.input.params));
  const parameters = [
    ...(params ? buildParameters(params, "path") : []),
    ...(query ? buildParameters(query, "query") : []),
  ];
  const body = facts.input.body && method !== "GET" ? keep(buildInputSchema(facts.input.body)) : undefined;
  return {
    operationId: buildOperationId(method.toLowerCase(), path),
    tags: [tag],
    summary: facts.summary ?? "",
    ...describe(facts),
    security: securityOf(facts),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: (body.required ?? []).length > 0, content: asBody(body) } } : {}),
    responses: {
      200: { description: "Success", content: buildContent(facts, keep) },
      ...listErrors(facts, body, method !== "GET"),
    },
  };
}

function describe(facts: RouteFacts): { readonly description?: string } {
  const need = needOf(facts);
  const sentences = [
    ...(need === null ? [] : [`Needs the role \`${roleFor[need]}\`.`]),
    ...(facts.moreNeeded === null
      ? []
      : [`${facts.moreNeeded.what} needs the role \`${roleFor[facts.moreNeeded.needs]}\`.`]),
    ...(facts.alias === null ? [] : [`Also served as \`${facts.alias}\`.`]),
  ];
  return sentences.length === 0 ? {} : { description: sentences.join(" ") };
}

function buildParameters(schema: JsonSchema, place: "path" | "query") {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description, ...form } = typeof property === "boolean" ? {} : property;
    return {
      name,
      in: place,
      required: schema.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema: form,
    };
  });
}

function asBody(schema: JsonSchema): Content {
  return { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } };
}

function buildContent({ form, fileTypes, answer }: RouteFacts, keep: Keep): Content {
  if (form === "file") {
    const schemaOf = (type: string) =>
      type === "application/json" && answer ? keep(buildOutputSchema(answer)) : { type: "string" as const };
    return Object.fromEntries(fileTypes.map((type) => [type, { schema: schemaOf(type) }]));
  }
  if (form === "text") return { "text/plain": { schema: { type: "string" } } };
  const data = answer ?? emptyAnswer;
  const schema = keep(buildOutputSchema(form === "json" ? data : envelopeAnswer(data)));
  const files: Content = Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: "string" as const } }]));
  return { "application/json": { schema }, ...files };
}

function buildOperationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api\/v1/, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  return method + words.map(capital).join("");
}
