"one per process";

import { within } from "@/lib/platform/async";
import { onMain, sendToMain } from "@/lib/platform/process/channel";
import type { Figures, ToChild, ToMain } from "@/lib/platform/process/messages";

export interface FigureChannel {
  readonly tell: typeof sendToMain;
  readonly on: typeof onMain;
}

const channel: FigureChannel = { tell: sendToMain, on: onMain };

type Names = readonly string[] | undefined;

/** Sends this process's metrics to `main` on request (`processes.md` N6). Returns a function that stops it. */
export function sendFigures(collect: (names: Names) => Promise<Figures>, { tell, on } = channel): () => void {
  return on("collect", ({ id, names }) => {
    const tellAll = (figures: Figures) => tell({ kind: "figures", id, figures });
    // An empty answer says that the figures are missing.
    collect(names).then(tellAll, () => tellAll([]));
  });
}

type ByProcess = Readonly<Record<string, Figures>>;
let lastId = 0;

/** Requests the metrics of all other processes from `main`. Empty: that process, or `main`, did not answer. */
export function requestFigures(names?: Names, timeoutMs = 2000, { tell, on } = channel): Promise<ByProcess> {
  const id = ++lastId;
  const listen = (answer: (figures: ByProcess) => void) =>
    on("collected", (message) => {
      if (message.id === id) answer(message.figures);
    });
  return askOnce(listen, () => tell({ kind: "collect", id, names }), timeoutMs, { main: [] });
}

export interface FigureSource {
  readonly name: string;
  tell(message: ToChild): void;
  on(listener: (message: ToMain) => void): () => void;
}

/** Collects the metrics of other processes in parallel (`processes.md` N6); empty: no answer. */
export async function collectFigures(
  { id, names }: Pick<Extract<ToChild, { readonly kind: "collect" }>, "id" | "names">,
  sources: readonly FigureSource[],
  timeoutMs = 1000,
): Promise<ByProcess> {
  const found = sources.map(async (source) => {
    const listen = (answer: (figures: Figures) => void) =>
      source.on((message) => {
        if (message.kind === "figures" && message.id === id) answer(message.figures);
      });
    const figures = await askOnce(listen, () => source.tell({ kind: "collect", id, names }), timeoutMs, []);
    return [source.name, figures] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function askOnce<T>(
  listen: (answer: (found: T) => void) => () => void,
  ask: () => void,
  timeoutMs: number,
  late: T,
): Promise<T> {
  let forget: () => void = () => undefined;
  const told = new Promise<T>((resolve) => {
    forget = listen(resolve);
  });
  try {
    ask();
    return await within(timeoutMs, told, () => late);
  } catch {
    return late;
  } finally {
    forget();
  }
}
