import { overlay } from "@/app/_components/overlay/on-demand";

export const DecisionDialog = overlay(() => import("./decision-question").then((m) => m.DecisionQuestion));
