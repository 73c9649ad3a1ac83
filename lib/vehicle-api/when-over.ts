import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Responses that wait for earlier ones on the same connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls back once when a response was sent or cannot be. A closing connection only closes the response in turn. */
export function whenOver({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void {
  if (response.socket !== null) {
    response.once("close", done);
    return;
  }
  const ends = endsOf(socket);
  const end = () => {
    if (ends.delete(end)) done();
  };
  ends.add(end);
  response.once("close", end);
}

function endsOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once("close", () => ends.forEach((end) => end()));
  return ends;
}
