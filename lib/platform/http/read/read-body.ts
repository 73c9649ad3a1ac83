import type { IncomingMessage } from "node:http";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import qs from "qs";
import type { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { deepest, dropPrototypeKeys } from "@/lib/platform/http/read/clean-json";
import { readFormValues } from "@/lib/platform/http/read/form-values";
import { isJsonDeeperThan } from "@/lib/platform/http/read/json-depth";

/** Largest body after decoding, in bytes (`api.md` 0.2). */
export const largestBody = 1_048_576;

/** Whether a request says of itself that its body is longer than any route takes. */
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
 * Reads the body of a request as an object: JSON, or a form whose nested keys stand in brackets. No body gives `{}`.
 *
 * @param options.schema what the route takes: a form holds texts only, which are read as the numbers and booleans of the schema
 * @param options.maxBytes after decoding; what arrives is never longer than `largestBody`
 * @param options.keptIn the member whose keys are data, `__proto__` and the like among them
 * @param options.anyBytes bytes that are no UTF-8 are replaced, not refused
 * @throws AppError 400 for a body that is no object, is malformed, is not UTF-8, is nested too deeply or holds too many values; 413 beyond
 * 1 MiB; 415 for another media type or content encoding
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

/** The bytes of a body, decoded when they were compressed. Throws as `readBody` does. */
export async function readBytes(request: Request, maxDecoded = largestBody): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0);
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const decoder = decoders[encoding];
  if (decoder === undefined) throw new AppError("unsupportedMediaType", "Unsupported content encoding");
  if (Number(request.headers.get("content-length") ?? 0) > largestBody) throw new AppError("payloadTooLarge");
  // What is not compressed is as long as what arrives.
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
  // The DOM's type of a stream and Node's differ; at run time there is one class.
  const source = Readable.fromWeb(request.body as ReadableStream<Uint8Array>);
  try {
    await (decoder === null ? pipeline(source, collect) : pipeline(source, decoder(), collect));
  } catch (cause) {
    // Leaving a stream before its end counts as a failure of the pipeline, too.
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
  // A body without a type is taken for JSON: some clients do not name it. What pages of other sites could send in this way
  // is refused by its origin (`api.md` 0.6).
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
  // Looked at before it is parsed (`processes.md` N10).
  if (isJsonDeeperThan(bytes, deepest))
    throw new AppError("invalid", `Body must not be nested deeper than ${deepest} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid", "Malformed JSON body", { cause });
  }
  if (!isObject(value)) throw new AppError("invalid", "Body must be a JSON object");
  return value;
}

/**
 * Parses a form whose nested keys stand in brackets; `name[]=` is an empty list, a name without `=` is null. Throws
 * AppError 400 beyond its limits.
 */
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
