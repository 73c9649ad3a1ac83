"one per process";

import type { IncomingMessage } from "node:http";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import qs from "qs";
import type { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { findRepeatedMember } from "@/lib/platform/http/read/json-members";
import { isJsonDeeperThan } from "@/lib/platform/http/read/json-depth";
import { buildInputSchema, type JsonSchema, type SchemaWithParts } from "@/lib/platform/zod/json-schema";

/** Largest body after decoding, in bytes (`api.md` 0.2). */
export const largestBody = 1_048_576;

export function isTooLong({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const announced = headers["content-length"];
  return announced !== undefined && Number(announced) > largestBody;
}

const decoders: Readonly<Record<string, (() => Transform) | null>> = {
  identity: null,
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface BodyOptions {
  readonly schema?: z.ZodType | undefined;
  readonly maxBytes?: number | undefined;
  readonly keptIn?: string | null | undefined;
  readonly anyBytes?: boolean | undefined;
}

/**
 * Reads a body as an object: JSON, or a form with nested keys in brackets; no body gives `{}`. `schema` tells which
 * form values are numbers and booleans, `keptIn` names the member whose keys are data, `anyBytes` replaces invalid
 * UTF-8. Throws AppError 400 for a malformed body; 413 beyond 1 MiB; 415 for another media type or encoding.
 */
export async function readBody(
  request: Request,
  { schema, maxBytes = largestBody, keptIn = null, anyBytes = false }: BodyOptions = {},
): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  const body = parseBody(bytes, request.headers.get("content-type"), schema, !anyBytes);
  dropPrototypeKeys(body, keptIn);
  return body;
}

export async function readBytes(request: Request, maxDecoded = largestBody): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0);
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const decoder = decoders[encoding];
  if (decoder === undefined) throw new AppError("unsupportedMediaType", "Unsupported content encoding");
  if (Number(request.headers.get("content-length") ?? 0) > largestBody) throw new AppError("payloadTooLarge");
  // An uncompressed body has the size that arrives.
  const maxBytes = decoder === null ? Math.min(maxDecoded, largestBody) : maxDecoded;

  const chunks: Buffer[] = [];
  let length = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) return;
      chunks.push(chunk);
    }
  };
  // The DOM's stream type and Node's differ, but the class is the same.
  const source = Readable.fromWeb(request.body as ReadableStream<Uint8Array>);
  try {
    await (decoder === null ? pipeline(source, collect) : pipeline(source, decoder(), collect));
  } catch (cause) {
    if (length <= maxBytes) throw new AppError("invalid", "Body cannot be read", { cause });
  }
  if (length > maxBytes) throw new AppError("payloadTooLarge");
  return Buffer.concat(chunks, length);
}

function decodeText(bytes: Buffer, fatal: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal }).decode(bytes);
  } catch (cause) {
    throw new AppError("invalid", "Body is not valid UTF-8", { cause });
  }
}

function parseBody(
  bytes: Buffer,
  contentType: string | null,
  schema: z.ZodType | undefined,
  isStrict: boolean,
): Record<string, unknown> {
  // Without a type, it counts as JSON: some clients send none. The origin check stops other sites' pages (`api.md`
  // 0.6).
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "application/json";
  if (type === "application/json") return parseJson(bytes, isStrict);
  if (type === "application/x-www-form-urlencoded") {
    const form = parseForm(decodeText(bytes, isStrict));
    return schema === undefined ? form : readFormValues(form, schema);
  }
  throw new AppError(
    "unsupportedMediaType",
    "Content-Type must be application/json or application/x-www-form-urlencoded",
  );
}

function parseJson(bytes: Buffer, isStrict: boolean): Record<string, unknown> {
  const text = decodeText(bytes, isStrict);
  if (isJsonDeeperThan(bytes, deepest))
    throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid", "Malformed JSON body", { cause });
  }
  if (!isObject(value)) throw new AppError("invalid", "Body must be a JSON object");
  const twice = isStrict ? findRepeatedMember(text) : null;
  if (twice !== null) throw new AppError("invalid", `Body has the member ${twice.name} twice`);
  return value;
}

/** Parses a form with nested keys in brackets. `name[]=` is an empty list, a name without `=` is null. */
export function parseForm(text: string): Record<string, unknown> {
  try {
    return qs.parse(text, {
      plainObjects: true,
      depth: 16,
      allowEmptyArrays: true,
      strictNullHandling: true,
      strictDepth: true,
      arrayLimit: 1000,
      parameterLimit: 5000,
      throwOnLimitExceeded: true,
    });
  } catch (cause) {
    throw new AppError("invalid", "Form body has too many or too deeply nested fields", { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than any body of this API: protects code that walks a body recursively. */
export const deepest = 64;
/** Maximum number of values in a body, because checking them blocks the process. An export with 10,000 apps has fewer. */
const maxValues = 300_000;
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Removes keys that could reach a prototype, in place, except in `keptIn` (`api.md` 0.2). Throws AppError 400. */
function dropPrototypeKeys(value: unknown, keptIn: string | null = null): void {
  walk(value, deepest, { count: 0, keptIn, isDropping: true });
}

interface Walk {
  count: number;
  readonly keptIn: string | null;
  isDropping: boolean;
}

function walk(value: unknown, left: number, state: Walk): void {
  state.count += 1;
  if (state.count > maxValues) throw new AppError("invalid", `Body must not hold more than ${maxValues} values`);
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  if (Array.isArray(value)) {
    for (const element of value) walk(element, left - 1, state);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (left === deepest) state.isDropping = key !== state.keptIn;
    if (state.isDropping && prototypeKeys.has(key)) Reflect.deleteProperty(value, key);
    else walk(member, left - 1, state);
  }
}

const descriptions = new WeakMap<z.ZodType, SchemaWithParts>();

/** Converts a form's texts to the booleans and numbers of the schema (`api.md` 0.2). Other texts stay. */
export function readFormValues(form: Record<string, unknown>, schema: z.ZodType): Record<string, unknown> {
  const known = descriptions.get(schema) ?? buildInputSchema(schema);
  descriptions.set(schema, known);
  return readMembers(form, [known.schema], known.parts);
}

type Parts = SchemaWithParts["parts"];

function readMembers(
  value: Record<string, unknown>,
  alternatives: readonly JsonSchema[],
  parts: Parts,
): Record<string, unknown> {
  // Without a prototype, like the form: the caller chooses the names.
  const read: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    const schemas = alternatives.flatMap(({ properties, additionalProperties }) => {
      const schema = properties?.[name] ?? additionalProperties;
      return typeof schema === "object" ? [schema] : [];
    });
    read[name] = readValue(member, schemas, parts);
  }
  return read;
}

function readValue(value: unknown, schemas: readonly JsonSchema[], parts: Parts): unknown {
  const alternatives = schemas.flatMap((schema) => listAlternatives(schema, parts));
  if (typeof value === "string") return readText(value, alternatives);
  if (Array.isArray(value)) {
    const items = alternatives.flatMap(({ items }) =>
      typeof items === "object" && !Array.isArray(items) ? [items] : [],
    );
    return value.map((item) => readValue(item, items, parts));
  }
  if (value !== null && typeof value === "object") return readMembers({ ...value }, alternatives, parts);
  return value;
}

function readText(text: string, alternatives: readonly JsonSchema[]): unknown {
  const takes = (...types: readonly JsonSchema["type"][]) => alternatives.some(({ type }) => types.includes(type));
  if (alternatives.some((schema) => takesText(schema, text))) return text;
  if ((text === "true" || text === "false") && takes("boolean")) return text === "true";
  if (/^-?\d+(\.\d+)?$/.test(text) && takes("integer", "number")) return Number(text);
  return text;
}

function takesText({ type, enum: words, pattern }: JsonSchema, text: string): boolean {
  if (type !== "string") return false;
  if (words !== undefined) return words.includes(text);
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

function listAlternatives(schema: JsonSchema, parts: Parts): readonly JsonSchema[] {
  const part = schema.$ref === undefined ? undefined : parts[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
  if (part !== undefined) return listAlternatives(part, parts);
  const nested = schema.anyOf ?? schema.oneOf;
  return nested === undefined ? [schema] : nested.flatMap((one) => listAlternatives(one, parts));
}
