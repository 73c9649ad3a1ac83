import { overlay } from "@/app/_components/overlay/on-demand";

/** The dialog for a decision; fetched on the reader's first action. */
export const DecisionDialog = overlay(() => import("./decision-question").then((m) => m.DecisionQuestion));
