import type { ServerResponse } from "node:http";
import pLimit from "p-limit";

/** Maximum number of pages rendered at once. More are not faster, because they share the event loop. */
const maxAtOnce = 4;
/** Maximum turn of a slow client, in milliseconds. */
const longestTurnMs = 5_000;

/**
 * Renders only a few pages at once and in order, so that other requests still get responses (`processes.md` N4). Skips pages
 * whose client has left. Resolves when the page was sent or its turn is over.
 */
export function createPageTurns({ max = maxAtOnce, longestMs = longestTurnMs } = {}): (
  response: Pick<ServerResponse, "destroyed" | "once">,
  render: () => Promise<void>,
) => Promise<void> {
  const turns = pLimit(max);
  return async (response, render) => {
    let rendering: Promise<void> = Promise.resolve();
    await turns(async () => {
      if (response.destroyed) return;
      rendering = render();
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, longestMs);
        const end = () => {
          clearTimeout(late);
          resolve();
        };
        response.once("close", end);
        // The caller handles the error.
        rendering.then(end, end);
      });
    });
    await rendering;
  };
}
