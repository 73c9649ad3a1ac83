import { request } from "node:http";

const askEveryMs = 2_000;
const maxSilenceMs = 20_000;
/** Long, because a late response also counts. */
const timeoutMs = 60_000;

/**
 * Requests `/health` on a process's socket, and reports 20 s without a response (rule N4). Counts only time in which it
 * could run: after sleep or overload, no process is dead. `usableMs`: that time; null while it need not respond.
 * `socketPath`: null if it has no socket, as in development.
 */
export function watchHealth(options: {
  readonly socketPath: () => string | null;
  readonly usableMs: () => number | null;
  readonly onSilence: (seconds: number) => void;
  readonly everyMs?: number;
}): () => void {
  const { usableMs, onSilence, everyMs = askEveryMs } = options;
  let answeredAt: number | null = null;
  const timer = setInterval(() => {
    const [socketPath, now] = [options.socketPath(), usableMs()];
    if (socketPath === null || now === null) {
      answeredAt = null;
      return;
    }
    // A restarted process counts from zero.
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
