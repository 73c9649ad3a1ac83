import { ChevronRight } from "lucide-react";
import type { ChooseNode } from "@/app/(console)/vehicledata/manage/use-node-choice";
import type { NodePath } from "@/app/(console)/vehicledata/tree-edit";

/** The way to the node; all but the last part lead there. */
export function NodeTitle({ path, choose }: Readonly<{ path: NodePath; choose: ChooseNode }>) {
  return (
    <span className="flex flex-wrap items-center gap-1">
      {path.map((node, index) => (
        <span key={node.uid} className="flex min-w-0 items-center gap-1">
          {index > 0 && <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-muted" />}
          {index === path.length - 1 ? (
            <span className="min-w-0 break-all">{node.name || "unnamed"}</span>
          ) : (
            <button
              type="button"
              className="min-h-6 text-left font-normal break-all text-muted hover:text-text hover:underline"
              onClick={() => choose(node.uid)}
            >
              {node.name || "unnamed"}
            </button>
          )}
        </span>
      ))}
    </span>
  );
}
