import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface EmbeddedDatabase {
  /** Connection string for the MongoDB driver; pass the database name as `dbName`. */
  readonly uri: string;
  readonly pid: number;
  /** Finishes running operations, compacts if worthwhile, and releases the folder. Disconnect clients first. */
  close(): Promise<void>;
}

/** From its sources; `report` gets messages line by line, by default standard error. */
export async function startEmbeddedDatabase(options: {
  readonly dataDir: string;
  readonly report?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const report = options.report ?? ((line: string) => process.stderr.write(`${line}\n`));
  const child = fork(fileURLToPath(new URL("embedded-main.ts", import.meta.url)), ["--data-dir", options.dataDir], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const { stdout, stderr, pid = 0 } = child;
  if (stdout === null || stderr === null) throw new Error("The embedded database has no output");
  let last = "";
  createInterface({ input: stderr }).on("line", (line) => {
    last = line;
    report(line);
  });
  const ended = once(child, "close");
  const failed = ended.then(() => Promise.reject(new Error(last)));
  failed.catch(() => undefined);
  const said = Promise.race([once(createInterface({ input: stdout }), "line"), failed]);
  const { uri } = JSON.parse(String((await said)[0])) as { readonly uri: string };
  // The database must not keep the process alive.
  child.unref();
  child.channel?.unref();
  const close = async () => {
    child.ref();
    child.kill("SIGTERM");
    await ended;
  };
  let closing: Promise<void> | null = null;
  return { uri, pid, close: () => (closing ??= close()) };
}
