import type { ServerResponse } from "node:http";
import pLimit from "p-limit";

/** Maximum number of pages rendered at once. More are not faster, because they share the event loop. */
const maxAtOnce = 4;
const longestTurnMs = 5_000;

/** Renders few pages at once, so that others get responses (`processes.md` N4). Skips clients that have left. */
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
        rendering.then(end, end);
      });
    });
    await rendering;
  };
}
