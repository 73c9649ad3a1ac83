import type { AnsweredFigures } from "@/lib/fleet/figures/answer-schema";

/** From the bottom up. */
export const answerKinds = [
  { kind: "table", name: "Policy tables", className: "fill-chart-1" },
  { kind: "repaired", name: "Repaired", className: "fill-chart-3" },
  { kind: "refused", name: "Refused", className: "fill-bad" },
] as const;

/** Kinds of answers that occurred; policy tables always. */
export const toldKinds = ({ total }: Pick<AnsweredFigures, "total">) =>
  answerKinds.filter(({ kind }) => kind === "table" || total[kind] !== 0);
