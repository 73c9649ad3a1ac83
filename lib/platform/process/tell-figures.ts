import { onMain, tellMain } from "@/lib/platform/process/channel";
import type { Figures } from "@/lib/platform/process/messages";

export interface FigureChannel {
  readonly tell: typeof tellMain;
  readonly on: typeof onMain;
}

const channel: FigureChannel = { tell: tellMain, on: onMain };

/** Tells `main` this process's figures whenever it asks (`processes.md` N6). Returns what ends it. */
export function tellFigures(collect: () => Promise<Figures>, { tell, on } = channel): () => void {
  return on("collect", ({ id }) => {
    void collect().then((figures) => tell({ kind: "figures", id, figures }));
  });
}

let lastId = 0;

/**
 * Asks `main` for the figures of all other processes. Empty figures: no answer; if `main` gives none, that goes for
 * `main`.
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
