import { request } from "node:http";

/** Time between two questions, and how long a process may leave them without an answer, in milliseconds. */
const askEveryMs = 2_000;
const maxSilenceMs = 20_000;
/** An answer is one also when it comes late. */
const timeoutMs = 60_000;

/**
 * Asks a process for `/health` on its socket, and tells when it has not answered for 20 s (rule N4) in which it could
 * have run: a machine that slept or is overloaded has no dead process. Returns what ends it.
 * @param options.usableMs how long the process could have run; null while it need not answer
 */
export function watchHealth(options: {
  readonly socketPath: string;
  readonly usableMs: () => number | null;
  readonly onSilence: (seconds: number) => void;
  readonly everyMs?: number;
}): () => void {
  const { socketPath, usableMs, onSilence, everyMs = askEveryMs } = options;
  let answeredAt: number | null = null;
  const timer = setInterval(() => {
    const now = usableMs();
    if (now === null) {
      answeredAt = null;
      return;
    }
    // Another process counts from its own start.
    answeredAt = Math.min(answeredAt ?? now, now);
    if (now - answeredAt > maxSilenceMs) {
      answeredAt = null;
      onSilence(maxSilenceMs / 1000);
      return;
    }
    const asked = request({ socketPath, path: "/health", agent: false, timeout: timeoutMs }, (response) => {
      if (response.statusCode === 200) answeredAt = now;
      response.resume();
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => undefined);
    asked.end();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
