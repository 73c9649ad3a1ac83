import type { ChangedAppAnswer } from "@/lib/content/releases/answer-schema";
import { describeOnly } from "@/lib/labels/head-units";

export function RightChanges({ rights }: Readonly<{ rights: ChangedAppAnswer["rights"] }>) {
  return (
    <ul className="space-y-0.5 px-4">
      {rights.map(({ rpc, kind, builds, levels, parameters }) => (
        <li key={`${kind} ${rpc}`}>
          <span className={kind === "gained" ? "font-medium text-good" : "font-medium text-bad"}>
            {kind === "gained" ? "Gains" : "Loses"}
          </span>{" "}
          {rpc}
          <span className="text-muted">
            {levels.length > 0 && ` at ${levels.join(", ")}`}
            {parameters.length > 0 && `: ${parameters.join(", ")}`}
            {builds.length === 1 && ` (${describeOnly(builds)})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
