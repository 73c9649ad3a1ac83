import { onMain, tellMain } from "@/lib/platform/process/channel";
import type { Figures } from "@/lib/platform/process/messages";

/** How this process talks with main. */
export interface FigureChannel {
  readonly tell: typeof tellMain;
  readonly on: typeof onMain;
}

const channel: FigureChannel = { tell: tellMain, on: onMain };

/**
 * Has this process tell its figures whenever main asks for them (`processes.md` N6).
 *
 * @returns ends it
 */
export function tellFigures(collect: () => Promise<Figures>, { tell, on } = channel): () => void {
  return on("collect", ({ id }) => {
    void collect().then((figures) => tell({ kind: "figures", id, figures }));
  });
}

let lastId = 0;

/**
 * Asks main for the figures of all other processes.
 *
 * @param timeoutMs how long, in milliseconds
 * @returns figures by the name of the process, empty ones for a process that has not answered; for main itself when it
 *   has not
 */
export async function askForFigures(
  timeoutMs = 2000,
  { tell, on } = channel,
): Promise<Readonly<Record<string, Figures>>> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const late = setTimeout(() => finish({ main: [] }), timeoutMs);
    const forget = on("collected", (message) => {
      if (message.id === id) finish(message.figures);
    });
    function finish(figures: Readonly<Record<string, Figures>>) {
      clearTimeout(late);
      forget();
      resolve(figures);
    }
    tell({ kind: "collect", id });
  });
}
