import type { ServerResponse } from "node:http";
import pLimit from "p-limit";

/** Pages rendered at once. More at once are no faster: each takes its part of every turn of the event loop. */
const maxAtOnce = 4;
/** A reader who takes its page slowly keeps its turn no longer than this, in milliseconds. */
const longestTurnMs = 5_000;

/**
 * Renders pages a few at a time and in order, so that everything else is still answered (`processes.md` N4). A page
 * whose reader has left is not rendered. Ends when the page has been sent or its turn is over.
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
        // A failure is the caller's.
        rendering.then(end, end);
      });
    });
    await rendering;
  };
}
