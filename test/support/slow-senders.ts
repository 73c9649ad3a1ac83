/* `node … <port> <count> <path> [address]`: in a process of its own, so that it takes no time from vehicles. */
import { connect } from "node:net";

const [port, count, path] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4] ?? "/"];
const address = process.argv[5];
let connected = 0;

function begin(at: number): void {
  const localAddress = address ?? `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let trickle: NodeJS.Timeout | undefined;
  socket.once("connect", () => {
    process.send?.(++connected);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: slow\r\nContent-Length: 1000000\r\n\r\n{`);
    trickle = setInterval(() => socket.write(" "), 1_000);
  });
  socket.resume().on("error", () => undefined);
  socket.once("close", () => {
    clearInterval(trickle);
    begin(at);
  });
}

for (let at = 0; at < count; at++) begin(at);
process.once("disconnect", () => process.exit(0));
