/**
 * `import-sdl-server` in its own process, which kills itself (SIGKILL) when it sends the n-th change to the database, and
 * prints the number of changes sent. Heartbeats do not count, because they depend on timing. Arguments: that number, 0
 * for never; then those of the command. Runs with `--conditions=react-server`, like server-only modules.
 */
import { type CommandStartedEvent, MongoClient } from "mongodb";
import { runCommandLine } from "@/lib/exchange/cli/program";
import { createWaiter } from "@/lib/exchange/cli/verifying";
import { parseSettings } from "@/lib/platform/settings/parse";

const [moment = "0", ...args] = process.argv.slice(2);
const environment = process.env;
const changes = new Set(["insert", "update", "delete", "findAndModify", "commitTransaction"]);
let sent = 0;
const connect = Reflect.get(MongoClient.prototype, "connect");
MongoClient.prototype.connect = async function (this: MongoClient) {
  this.on("commandStarted", ({ commandName, command }: CommandStartedEvent) => {
    if (!changes.has(commandName) || command[commandName] === "locks") return;
    sent += 1;
    if (sent === Number(moment)) process.kill(process.pid, "SIGKILL");
  });
  return connect.call(this);
};

process.exitCode = await runCommandLine(args, {
  environment,
  terminal: { write: () => undefined, note: (text) => process.stderr.write(text), isWatched: false },
  readSettings: () => undefined,
  settings: () => {
    const parsed = parseSettings({ ...environment }, { root: process.cwd(), readable: () => true });
    if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
    return parsed.settings;
  },
  start: () => Promise.reject(new Error("It has MONGODB_URI")),
  join: () => Promise.reject(new Error("It has MONGODB_URI")),
  root: process.cwd(),
  now: () => new Date(0),
  waiter: createWaiter,
});
process.stdout.write(`${sent}\n`);
