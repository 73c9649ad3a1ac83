import { limitNames, type NodeForm, readLimit, uselessLimits } from "@/app/(console)/vehicledata/item-form";
import { Notice } from "@/app/_components/feedback/notice";
import { Button } from "@/app/_components/ui/button";
import { describeLimits } from "@/lib/content/vehicle-data/console-rows";

/** What is to be known of a node besides what is wrong with it. */
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
          Taken out with this change:{" "}
          {describe(
            before,
            limitNames.filter((name) => before[name] !== "" && node[name] === ""),
          )}
        </Notice>
      )}
      {useless.length > 0 && (
        <Notice className="mt-4">
          Stored limits that mean nothing for {node.type || "this type"}: {describe(node, useless)}. Saving takes them
          out.
        </Notice>
      )}
      {node.type === "Struct" && node.params.length === 0 && (
        <Notice className="mt-4">
          A struct with nothing inside is saved, but never enters a policy table: head units would refuse it.
        </Notice>
      )}
    </>
  );
}

/** Some limits of a node in words. */
function describe(node: NodeForm, names: readonly string[]): string {
  const limits = limitNames.map((name) => [name, names.includes(name) ? readLimit(node[name]) : null] as const);
  return describeLimits({ type: node.type, array: node.array, ...(Object.fromEntries(limits) as Limits) });
}

type Limits = Omit<Parameters<typeof describeLimits>[0], "type" | "array">;
