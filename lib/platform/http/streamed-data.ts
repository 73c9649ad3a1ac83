"one per process";

import { log } from "@/lib/platform/log";

export type Piece = string | Uint8Array;

/** `data` of a response too large for memory: JSON text in chunks. An error after the first chunk cuts the response off. */
export class StreamedData {
  readonly #pieces: AsyncIterable<Piece>;

  readonly #source: AsyncIterator<Piece>;

  private constructor(pieces: AsyncIterable<Piece>, source: AsyncIterator<Piece>) {
    this.#pieces = pieces;
    this.#source = source;
  }

  /** Waits for the first chunk, so that an error at the start gets a normal error response. */
  static async start(pieces: AsyncIterable<Piece>): Promise<StreamedData> {
    const iterator = pieces[Symbol.asyncIterator]();
    const first = await iterator.next();
    return new StreamedData(continueWith(first, iterator), iterator);
  }

  /** Ends the source, such as an open file, if nobody reads the chunks. A generator that was not begun would not. */
  async discard(): Promise<void> {
    await this.#source.return?.();
  }

  toBody(before: string, after: string, requestId: string): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const texts = surround(before, this.#pieces, after, requestId);
    const discard = () => this.discard();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await texts.next();
          if (done === true) controller.close();
          else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        },
        async cancel() {
          await texts.return(undefined);
          await discard();
        },
      },
      // Do not produce chunks ahead of sending.
      { highWaterMark: 0 },
    );
  }
}

async function* continueWith(first: IteratorResult<Piece>, rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* surround(
  before: string,
  pieces: AsyncIterable<Piece>,
  after: string,
  requestId: string,
): AsyncGenerator<Piece, undefined> {
  if (before !== "") yield before;
  try {
    yield* pieces;
  } catch (error) {
    log.error({ request_id: requestId, err: error }, "answer cut off");
    throw error;
  }
  if (after !== "") yield after;
  return undefined;
}

/** A response that a browser saves as a file: the text alone, without the envelope, in chunks. */
export class FileAnswer {
  constructor(
    readonly data: StreamedData,
    readonly file: {
      readonly type: string;
      /** Letters, digits, hyphens and dots only. */
      readonly name: string;
    },
  ) {}

  static async ofText(text: string, file: FileAnswer["file"]): Promise<FileAnswer> {
    return new FileAnswer(await StreamedData.start(inOnePiece(text)), file);
  }

  toResponse(status: number, headers: Headers, requestId: string): Response {
    headers.set("Content-Type", this.file.type);
    headers.set("Content-Disposition", `attachment; filename="${this.file.name}"`);
    return new Response(this.data.toBody("", "", requestId), { status, headers });
  }
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
