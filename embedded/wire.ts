import type { Socket } from "node:net";
import { decodeCommand, decodeDoc, encodeReply } from "./values/bson-bytes";
import { setOwn, type Doc } from "./values/values";

// OP_MSG, and OP_QUERY for a driver's first hello (MongoDB's wire protocol). A message starts with its length, its id,
// the id of the request that it answers, and the operation code, 4 bytes each.

const opReply = 1;
const opQuery = 2004;
const opMessage = 2013;
const headerBytes = 16;
const maxMessageBytes = 48_000_000 + 16 * 1024;
const flags = { checksum: 1, moreToCome: 2 } as const;

export interface Request {
  readonly id: number;
  readonly operation: number;
  readonly command: Doc;
  readonly wantsReply: boolean;
}

/** The client broke the protocol, so the connection must close. */
export class ProtocolError extends Error {}

/** The message is valid, but its BSON is not. The client gets an error reply. */
export class DamagedRequest extends Error {
  constructor(
    readonly request: Omit<Request, "command">,
    cause: unknown,
  ) {
    super("the command is damaged BSON", { cause });
  }
}

export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const operation = message.readInt32LE(12);
  if (operation !== opMessage && operation !== opQuery) throw new ProtocolError(`unknown operation ${operation}`);
  try {
    return operation === opMessage ? parseMessage(message, id) : parseQuery(message, id);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const wantsReply = operation === opQuery || (message.readUInt32LE(headerBytes) & flags.moreToCome) === 0;
    throw new DamagedRequest({ id, operation, wantsReply }, error);
  }
}

function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, 20);
  const start = nameEnd + 9;
  const command = decodeDoc(message.subarray(start, start + message.readInt32LE(start)));
  const [database] = message.toString("utf8", 20, nameEnd).split(".");
  return { id, operation: opQuery, command: { ...command, $db: database }, wantsReply: true };
}

function parseMessage(message: Buffer, id: number): Request {
  const bits = message.readUInt32LE(headerBytes);
  const end = (bits & flags.checksum) === 0 ? message.length : message.length - 4;
  let command: Doc | null = null;
  const sequences: [string, unknown[]][] = [];
  for (let at = headerBytes + 4; at < end;) {
    const kind = message.readUInt8(at++);
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > end) throw new ProtocolError("a section is longer than its message");
    const section = message.subarray(at, at + size);
    at += size;
    if (kind === 0) command = decodeCommand(section);
    else if (kind === 1) sequences.push(parseSequence(section));
    else throw new ProtocolError(`unknown section kind ${kind}`);
  }
  if (command === null) throw new ProtocolError("a message without a command");
  for (const [name, documents] of sequences) setOwn(command, name, documents);
  return { id, operation: opMessage, command, wantsReply: (bits & flags.moreToCome) === 0 };
}

function parseSequence(section: Buffer): [string, unknown[]] {
  const nameEnd = section.indexOf(0, 4);
  const name = section.toString("utf8", 4, nameEnd);
  const documents: unknown[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const bytes = section.subarray(at, at + section.readInt32LE(at));
    documents.push(name === "documents" ? bytes : decodeDoc(bytes));
    at += Math.max(bytes.length, 5);
  }
  return [name, documents];
}

export function sendReply(
  socket: Socket,
  request: Omit<Request, "command">,
  fields: Readonly<Record<string, unknown>>,
): void {
  const body = encodeReply(fields);
  const isMessage = request.operation === opMessage;
  const head = Buffer.alloc(isMessage ? headerBytes + 5 : headerBytes + 20);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(isMessage ? opMessage : opReply, 12);
  if (!isMessage) {
    head.writeInt32LE(8, headerBytes); // AwaitCapable, always set
    head.writeInt32LE(1, headerBytes + 16); // number of documents
  }
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

export class MessageSplitter {
  #chunks: Buffer[] = [];
  #have = 0;
  #need = headerBytes;

  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    const messages: Buffer[] = [];
    if (this.#have < this.#need) return messages;
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    this.#need = headerBytes;
    while (bytes.length >= headerBytes) {
      const length = bytes.readInt32LE(0);
      if (length < headerBytes || length > maxMessageBytes) throw new ProtocolError(`a message of ${length} bytes`);
      if (bytes.length < length) {
        this.#need = length;
        break;
      }
      messages.push(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#have = bytes.length;
    return messages;
  }
}
