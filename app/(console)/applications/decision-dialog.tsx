import { overlay } from "@/app/_components/overlay/on-demand";

/** Asks about a decision; fetched when the reader begins to act. */
export const DecisionDialog = overlay(() => import("./decision-question").then((m) => m.DecisionQuestion));
