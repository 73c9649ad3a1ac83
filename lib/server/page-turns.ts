import type { ServerResponse } from "node:http";
import pLimit from "p-limit";

/**
 * Pages that are rendered at once. Rendering is work of the processor, of which more at once makes none faster: every page
 * that has begun takes its part of each round of the event loop, and hundreds of them make one round last for seconds.
 */
const maxAtOnce = 4;
/** A reader who takes its page slowly keeps its turn no longer than this, in milliseconds. */
const longestTurnMs = 5_000;

/**
 * Makes the function that has pages rendered a few at a time, in the order in which they were asked for, so that
 * everything else is still answered while many ask for pages (`processes.md` N4). A page whose reader has gone meanwhile
 * is not rendered.
 *
 * @returns the function; it ends when the page has been sent or its turn is over, and rejects when rendering does
 */
export function createPageTurns({ most = maxAtOnce, longestMs = longestTurnMs } = {}): (
  response: Pick<ServerResponse, "destroyed" | "once">,
  render: () => Promise<void>,
) => Promise<void> {
  const turns = pLimit(most);
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
