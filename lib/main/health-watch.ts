import { request } from "node:http";

/** Time between two questions, and how long a process may leave them without an answer, in milliseconds. */
const askEveryMs = 2_000;
const mostSilenceMs = 20_000;

/**
 * Asks a process for `/health` on its socket, and tells when it has not answered for 20 s (rule N4). Counts questions and
 * not the clock, so that a machine that slept has no dead process.
 *
 * @param options.socketPath where it listens
 * @param options.isReady whether it is expected to answer
 * @param options.everyMs time between two questions in milliseconds, for tests
 * @returns ends it
 */
export function watchHealth(options: {
  readonly socketPath: string;
  readonly isReady: () => boolean;
  readonly onSilence: (seconds: number) => void;
  readonly everyMs?: number;
}): () => void {
  const { socketPath, isReady, onSilence, everyMs = askEveryMs } = options;
  const mostMissed = mostSilenceMs / askEveryMs;
  let missed = 0;
  const timer = setInterval(() => {
    if (!isReady()) {
      missed = 0;
      return;
    }
    missed += 1;
    if (missed > mostMissed) {
      missed = 0;
      onSilence(mostSilenceMs / 1000);
      return;
    }
    const asked = request({ socketPath, path: "/health", agent: false, timeout: mostSilenceMs }, (response) => {
      if (response.statusCode === 200) missed = 0;
      response.resume();
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => undefined);
    asked.end();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
