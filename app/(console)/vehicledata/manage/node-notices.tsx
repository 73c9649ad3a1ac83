import { limitNames, type NodeForm, readLimit, uselessLimits } from "@/app/(console)/vehicledata/item-form";
import { Notice } from "@/app/_components/feedback/notice";
import { Button } from "@/app/_components/ui/button";
import { describeLimits } from "@/lib/content/vehicle-data/console-rows";

export function NodeNotices({
  node,
  before,
  onTakeBack,
}: Readonly<{
  node: NodeForm;
  /** The node before a change that took limits from it. */
  before: NodeForm | null;
  onTakeBack: (before: NodeForm) => void;
}>) {
  const useless = uselessLimits(node);
  return (
    <>
      {before !== null && (
        <Notice
          tone="info"
          className="mt-4"
          action={
            <Button size="sm" onClick={() => onTakeBack(before)}>
              Take back
            </Button>
          }
        >
          Removed by this change:{" "}
          {describe(
            before,
            limitNames.filter((name) => before[name] !== "" && node[name] === ""),
          )}
        </Notice>
      )}
      {useless.length > 0 && (
        <Notice className="mt-4">
          Stored limits that do not apply to {node.type || "this type"}: {describe(node, useless)}. Saving removes them.
        </Notice>
      )}
      {node.type === "Struct" && node.params.length === 0 && (
        <Notice className="mt-4">
          You can save an empty struct, but it is left out of policy tables because head units would refuse it.
        </Notice>
      )}
    </>
  );
}

function describe(node: NodeForm, names: readonly string[]): string {
  const limits = limitNames.map((name) => [name, names.includes(name) ? readLimit(node[name]) : null] as const);
  return describeLimits({ type: node.type, array: node.array, ...(Object.fromEntries(limits) as Limits) });
}

type Limits = Omit<Parameters<typeof describeLimits>[0], "type" | "array">;
