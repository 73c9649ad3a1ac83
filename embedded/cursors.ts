import { Long } from "bson";
import { DatabaseError } from "./errors";
import { encodeReply, maxDocumentBytes, rawDocument, rawList } from "./values/bson-bytes";

const idleMilliseconds = 10 * 60 * 1000;
const firstBatchSize = 101;

/** The rest of a result, as of the time of the query: later writes do not show. */
interface Cursor {
  readonly namespace: string;
  readonly documents: readonly Buffer[];
  readonly project: (bytes: Buffer) => Buffer;
  readonly sessionKey: string | null;
  position: number;
  lastUsed: number;
}

interface CursorRequest extends Pick<Cursor, "namespace" | "documents" | "project" | "sessionKey"> {
  readonly batchSize: number | undefined;
  readonly isSingleBatch: boolean;
}

function nextBatch(cursor: Cursor, maximum: number): Buffer[] {
  const batch: Buffer[] = [];
  let size = 0;
  while (batch.length < maximum) {
    const document = cursor.documents[cursor.position];
    if (document === undefined) break;
    const bytes = cursor.project(document);
    size += bytes.length;
    if (batch.length > 0 && size > maxDocumentBytes) break;
    batch.push(bytes);
    cursor.position++;
  }
  return batch;
}

export class CursorStore {
  readonly #cursors = new Map<string, Cursor>();
  #nextId = BigInt(Date.now()) * 1000n;

  open({ batchSize = firstBatchSize, isSingleBatch, ...request }: CursorRequest): Record<string, unknown> {
    const cursor: Cursor = { ...request, position: 0, lastUsed: Date.now() };
    const firstBatch = rawList(nextBatch(cursor, batchSize));
    const isDone = isSingleBatch || cursor.position >= cursor.documents.length;
    const id = isDone ? 0n : this.#nextId++;
    if (!isDone) this.#cursors.set(String(id), cursor);
    return { cursor: rawDocument(encodeReply({ firstBatch, id: Long.fromBigInt(id), ns: request.namespace })) };
  }

  more(id: string, namespace: string, batchSize: number | undefined): Record<string, unknown> {
    const cursor = this.#cursors.get(id);
    if (cursor?.namespace !== namespace) throw new DatabaseError(43, `cursor id ${id} not found`);
    cursor.lastUsed = Date.now();
    const batch = rawList(nextBatch(cursor, batchSize ?? Infinity));
    const isDone = cursor.position >= cursor.documents.length;
    if (isDone) this.#cursors.delete(id);
    const remaining = isDone ? Long.ZERO : Long.fromString(id);
    return { cursor: rawDocument(encodeReply({ nextBatch: batch, id: remaining, ns: namespace })) };
  }

  kill(id: string): boolean {
    return this.#cursors.delete(id);
  }

  killOfSession(sessionKey: string): void {
    for (const [id, cursor] of this.#cursors) if (cursor.sessionKey === sessionKey) this.#cursors.delete(id);
  }

  dropIdle(now: number): void {
    for (const [id, { lastUsed }] of this.#cursors) if (now - lastUsed > idleMilliseconds) this.#cursors.delete(id);
  }
}
