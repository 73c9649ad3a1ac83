import type { ReactNode } from "react";
import { ItemLinks } from "@/app/_components/rights/item-links";
import { stateOf } from "@/app/_components/rights/rights";
import type { ItemFamily } from "@/lib/labels/release-items";
import type { MatrixCellJson } from "@/lib/simulator/answer-schema";
import type { Environment } from "@/lib/labels/vocabulary";

/** Why something may be called at a level or not, step by step. */
export function RightReasons({
  cell,
  what,
  environment,
}: Readonly<{ cell: MatrixCellJson; what: string; environment: Environment }>) {
  const { level, is_asked: isAsked, groups, prompts, reason, differs } = cell;
  const state = stateOf(cell);
  const links = (family: ItemFamily, keys: readonly string[]) => (
    <ItemLinks family={family} keys={keys} environment={environment} />
  );
  const steps: ReactNode[] = [isAsked ? "The app asks for it." : "The app does not ask for it at this level."];
  if (state === "withheld") steps.push(reason ?? "Nothing grants it.");
  else steps.push(<>Granted by {links("group", groups)}.</>);
  if (state === "consent") steps.push(<>Only after the driver has agreed to {links("message", prompts)}.</>);
  else if (prompts.length > 0) {
    steps.push(<>Without asking the driver: one of the groups has no consent prompt.</>);
  }
  if (differs !== null && differs !== reason) steps.push(differs);
  return (
    <div role="status" className="text-table">
      <p className="font-medium">
        <span className="font-mono text-xs">{what}</span> at {level}
      </p>
      <ol className="mt-1 list-decimal space-y-0.5 pl-5 text-muted">
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
