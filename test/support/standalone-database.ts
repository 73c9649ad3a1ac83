import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { deserialize, serialize } from "bson";

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;

/** A server that answers `hello` like a MongoDB without a replica set, and everything else with `ok: 1`. */
export async function startStandaloneDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let pending = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 16 && pending.length >= pending.readInt32LE(0)) {
        const message = pending.subarray(0, pending.readInt32LE(0));
        pending = pending.subarray(message.length);
        socket.write(answer(message));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answer(message: Buffer): Buffer {
  const isQuery = message.readInt32LE(12) === opQuery;
  // After the header: flags and one section of kind 0, or flags, a name, two numbers and the document.
  const start = isQuery ? message.indexOf(0, 20) + 9 : 21;
  const command = deserialize(message.subarray(start));
  const isHello = ["hello", "isMaster", "ismaster"].some((name) => name in command);
  const body = serialize(isHello ? helloReply() : { ok: 1 });
  const prefix = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) prefix.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + prefix.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? opReply : opMsg, 12);
  return Buffer.concat([header, prefix, body]);
}

function helloReply() {
  return {
    ok: 1,
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 21,
  };
}
