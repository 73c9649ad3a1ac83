import { errorNamed } from "@/lib/platform/errors";

/** A body was longer than its reader allows. */
export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
}
export const isBodyTooLong = errorNamed<BodyTooLong>("BodyTooLong");

/** `readLimitedBytes` as text. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  return Buffer.from(await readLimitedBytes(response, maxBytes)).toString("utf8");
}

/** Reads an answer's body and stops once it is longer than `maxBytes` after decompression. Throws `BodyTooLong`. */
export async function readLimitedBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early closes the stream, and with it the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLong(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
