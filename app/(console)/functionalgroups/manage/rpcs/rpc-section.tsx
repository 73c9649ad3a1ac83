import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { listRules, type RpcRule, withRules, fillGap, hasGap } from "../../group-form";
import { AddPermissions } from "./add-permissions-box";
import type { GroupPart } from "../group-facts";
import { RpcGrid } from "./rpc-grid";
import { Button } from "@/app/_components/ui/button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { SearchInput } from "@/app/_components/fields/search-input";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { Term } from "@/app/_components/overlay/term";

const RpcSelectionBar = dynamic(() => import("./rpc-selection-bar").then((m) => m.RpcSelectionBar));

export function RpcSection(part: Readonly<GroupPart>) {
  const { form, change } = part;
  const [filter, setFilter] = useState("");
  const [onlyGaps, setOnlyGaps] = useState(false);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const all = useMemo(() => listRules(form), [form]);
  const gaps = all.filter(([, { levels }]) => hasGap(levels));
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(
    ([name, { levels, parameters }]) =>
      [name, ...parameters].some((word) => word.toLowerCase().includes(wanted)) && (!onlyGaps || hasGap(levels)),
  );
  // Removed or filtered rows are no longer selected.
  const chosen = shown.map(([name]) => name).filter((name) => selected.includes(name));
  return (
    <Section
      title={
        <>
          RPCs <span className="font-normal text-muted tabular-nums">{all.length}</span>
        </>
      }
      description={
        <>
          Apps may call each RPC at the <Term word="HMI levels">How visible an app must be to make the call.</Term> you
          set.{" "}
          {change && (
            <span className="max-sm:hidden pointer-coarse:hidden">
              Arrow keys move, Space sets a level, Shift+Space sets all levels down to it.
            </span>
          )}
        </>
      }
      flush
    >
      <div className="space-y-3 px-4 py-3">
        {change && <AddPermissions {...part} change={change} />}
        <GapNotice
          gaps={gaps}
          change={change}
          others={all.length - gaps.length}
          onlyGaps={onlyGaps}
          setOnlyGaps={setOnlyGaps}
        />
        {all.length > 8 && (
          <SearchInput
            label="Filter the RPCs of this group"
            placeholder="Filter by RPC or parameter"
            value={filter}
            onChange={setFilter}
            className="sm:w-72"
          />
        )}
        <p role="status" className="sr-only">
          {chosen.length === 0 ? "" : `${chosen.length} RPCs selected`}
        </p>
        {change && chosen.length > 0 && (
          <RpcSelectionBar chosen={chosen} change={change} clear={() => setSelected([])} />
        )}
      </div>
      {shown.length > 0 ? (
        <RpcGrid
          rows={shown}
          part={part}
          chosen={chosen}
          onChoose={(names, isOn) => {
            const others = selected.filter((name) => !names.includes(name));
            setSelected(isOn ? [...others, ...names] : others);
          }}
        />
      ) : (
        <div className="px-4 pb-4">
          {wanted === "" && !onlyGaps ? (
            <EmptyState title="This group allows nothing yet">
              {change ? "Add RPCs or parameters above." : "It has no RPCs."}
            </EmptyState>
          ) : (
            <EmptyState
              title="No RPC matches the filter"
              action={
                <Button
                  onClick={() => {
                    setFilter("");
                    setOnlyGaps(false);
                  }}
                >
                  Clear filter
                </Button>
              }
            />
          )}
        </div>
      )}
    </Section>
  );
}

/** Allowed at a level, but not at a more visible one: rarely intended. */
function GapNotice({
  gaps,
  change,
  others,
  onlyGaps,
  setOnlyGaps,
}: Readonly<{
  gaps: readonly (readonly [name: string, rule: RpcRule])[];
  change: GroupPart["change"];
  others: number;
  onlyGaps: boolean;
  setOnlyGaps: (onlyGaps: boolean) => void;
}>) {
  if (gaps.length === 0) return null;
  const filled = Object.fromEntries(gaps.map(([name, rule]) => [name, { ...rule, levels: fillGap(rule.levels) }]));
  return (
    <Notice
      title={gaps.length === 1 ? "1 RPC has a gap in its levels" : `${gaps.length} RPCs have gaps in their levels`}
      action={
        change && (
          <Button
            size="sm"
            onClick={() => {
              change((value) => withRules(value, filled));
              setOnlyGaps(false);
            }}
          >
            {gaps.length === 1 ? "Fill the gap" : "Fill all gaps"}
          </Button>
        )
      }
    >
      An app would lose the call at a more visible level and regain it at a less visible one. The levels stay as they
      are unless you change them.{" "}
      {others > 0 && (
        <button
          type="button"
          className="font-medium text-link hover:underline print:hidden"
          onClick={() => setOnlyGaps(!onlyGaps)}
        >
          {onlyGaps ? "Show all RPCs" : "Show only these"}
        </button>
      )}
    </Notice>
  );
}
