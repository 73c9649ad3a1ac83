import { ChevronDown, Trash2, X } from "lucide-react";
import { rpcMember, withRules, fromLevelUp } from "../../group-form";
import { levelOrder } from "@/lib/records/groups/rules";
import type { GroupPart } from "../group-facts";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Menu } from "@/app/_components/overlay/menu";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export function RpcSelectionBar({
  chosen,
  change,
  clear,
}: Readonly<{ chosen: readonly string[]; change: NonNullable<GroupPart["change"]>; clear: () => void }>) {
  function setLevels(levels: readonly HmiLevel[]) {
    change((value) => {
      const rules = chosen.map((name) => [name, { parameters: [], ...value[rpcMember(name)], levels }] as const);
      return withRules(value, Object.fromEntries(rules));
    });
  }
  return (
    <div
      role="group"
      aria-label="Selected RPCs"
      className="flex flex-wrap items-center gap-2 rounded-card border border-accent-line bg-accent-soft py-1.5 pr-1.5 pl-3"
    >
      <span className="mr-auto font-medium tabular-nums">{chosen.length} selected</span>
      <Menu
        trigger={
          <Button size="sm">
            Set levels
            <ChevronDown aria-hidden="true" />
          </Button>
        }
        entries={levelOrder.map((level) => ({
          label: level === "FULL" ? "FULL only" : fromLevelUp(level).join(", "),
          onSelect: () => setLevels(fromLevelUp(level)),
        }))}
      />
      <Button
        size="sm"
        onClick={() => {
          change((value) => withRules(value, Object.fromEntries(chosen.map((name) => [name, null]))));
          clear();
        }}
      >
        <Trash2 aria-hidden="true" />
        Remove
      </Button>
      <IconButton icon={X} label="Clear selection" size="icon-sm" onClick={clear} />
    </div>
  );
}
