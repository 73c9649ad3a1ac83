/* A process with a given behavior: `node child-program.mjs <what> [file]`. Each start appends a line to the file. */
import { appendFileSync, readFileSync } from "node:fs";

const [what, file] = process.argv.slice(2);
appendFileSync(file, `${process.pid}\n`);
const starts = readFileSync(file, "utf8").trim().split("\n").length;
const say = (message) => process.send(message);
process.on("disconnect", () => process.exit(0));

if (what === "fails" || (what === "fails later" && starts > 1)) process.exit(3);
if (what === "refuses") process.send({ kind: "refused", problems: ["It cannot be."] }, () => process.exit(1));
else if (what === "hangs" && starts === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
else if (what === "spins" && starts === 1) for (;;);
else say({ kind: "ready" });
if (what === "refuses late" || (what === "refuses again" && starts > 1)) {
  process.send({ kind: "refused", problems: ["It cannot be."] }, () => process.exit(1));
}
if (["refuses again", "fails later"].includes(what) && starts === 1) setTimeout(() => process.exit(1), 50);
process.on("message", ({ kind }) => {
  if (kind === "stop" && what !== "deaf") process.exit(what === "unfinished" ? 1 : 0);
  if (kind === "retire") appendFileSync(file, "0\n");
  if (kind === "drain") say({ kind: "serving", revision: starts });
});
if (what === "sticks") {
  say({ kind: "alive" });
  // The first one blocks; the others keep running.
  if (starts === 1) setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
}
setInterval(() => say({ kind: "alive", memory: what === "grows" && starts === 1 ? 900 * 1024 ** 2 : 1024 ** 2 }), 20);
