"use client";
import dynamic from "next/dynamic";
import { ListFilter } from "lucide-react";
import { useMemo, useState } from "react";
import { type GroupForm, listRules, withRules } from "@/app/(console)/functionalgroups/group-form";
import { fillGap, hasGap } from "@/app/(console)/functionalgroups/levels";
import { AddPermissions } from "@/app/(console)/functionalgroups/manage/add-permissions-box";
import type { Change } from "@/app/(console)/functionalgroups/manage/general-section";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { RpcGrid } from "@/app/(console)/functionalgroups/manage/rpc-grid";
import { Button } from "@/app/_components/ui/button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { textInputClass } from "@/app/_components/fields/input-class";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { Term } from "@/app/_components/overlay/term";

const RpcSelectionBar = dynamic(() =>
  import("@/app/(console)/functionalgroups/manage/rpc-selection-bar").then((m) => m.RpcSelectionBar),
);

/** The RPCs of the group: which, at which levels, with which parameters. */
export function RpcSection({ form, facts, change }: Readonly<{ form: GroupForm; facts: GroupFacts; change: Change }>) {
  const [filter, setFilter] = useState("");
  const [onlyGaps, setOnlyGaps] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => listRules(form), [form]);
  const gaps = all.filter(([, { levels }]) => hasGap(levels));
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(
    ([name, { levels, parameters }]) =>
      (name.toLowerCase().includes(wanted) || parameters.some((key) => key.toLowerCase().includes(wanted))) &&
      (!onlyGaps || hasGap(levels)),
  );
  // What was taken out, or filtered away, is no longer chosen.
  const chosen = shown.map(([name]) => name).filter((name) => selected.has(name));
  const isFiltered = wanted !== "" || onlyGaps;
  return (
    <Section
      title={
        <>
          RPCs <span className="font-normal text-muted tabular-nums">{all.length}</span>
        </>
      }
      description={
        <>
          Each may be called at the <Term word="HMI levels">How visible an app must be for a call to be allowed.</Term>{" "}
          that are set.{" "}
          {change && (
            <span className="pointer-coarse:hidden">
              Arrow keys move, Space sets a level, Shift+Space all levels down to it.
            </span>
          )}
        </>
      }
      flush
    >
      <div className="space-y-3 px-4 py-3">
        {change && <AddPermissions form={form} facts={facts} change={change} />}
        {gaps.length > 0 && (
          <Notice
            title={
              gaps.length === 1 ? "1 RPC has a gap in its levels" : `${gaps.length} RPCs have gaps in their levels`
            }
            action={
              change && (
                <Button
                  size="sm"
                  onClick={() => {
                    change((value) =>
                      withRules(
                        value,
                        Object.fromEntries(
                          gaps.map(([name, rule]) => [name, { ...rule, levels: fillGap(rule.levels) }]),
                        ),
                      ),
                    );
                    setOnlyGaps(false);
                  }}
                >
                  {gaps.length === 1 ? "Fill the gap" : "Fill all gaps"}
                </Button>
              )
            }
          >
            An app would lose the call at a more visible level and get it back at a less visible one. They stay as they
            are unless you change them.{" "}
            {all.length > gaps.length && (
              <button
                type="button"
                className="font-medium text-link hover:underline"
                onClick={() => {
                  setOnlyGaps(!onlyGaps);
                }}
              >
                {onlyGaps ? "Show all RPCs" : "Show only these"}
              </button>
            )}
          </Notice>
        )}
        {all.length > 8 && (
          <div className="relative sm:w-72">
            <ListFilter
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
            />
            <input
              type="search"
              value={filter}
              aria-label="Filter the RPCs of this group"
              placeholder="Filter by RPC or parameter"
              autoComplete="off"
              spellCheck={false}
              className={`${textInputClass} pl-8`}
              onChange={(event) => {
                setFilter(event.target.value);
              }}
              onKeyDown={(event) => {
                // Enter would save the form.
                if (event.key === "Enter") event.preventDefault();
              }}
            />
          </div>
        )}
        <p role="status" className="sr-only">
          {chosen.length === 0 ? "" : `${chosen.length} RPCs selected`}
        </p>
        {change && chosen.length > 0 && (
          <RpcSelectionBar
            chosen={chosen}
            change={change}
            clear={() => {
              setSelected(new Set());
            }}
          />
        )}
      </div>
      {shown.length > 0 ? (
        <RpcGrid
          rows={shown}
          facts={facts}
          change={change}
          chosen={chosen}
          onChoose={(names, isOn) => {
            const next = new Set(selected);
            for (const name of names) {
              if (isOn) next.add(name);
              else next.delete(name);
            }
            setSelected(next);
          }}
        />
      ) : (
        <div className="px-4 pb-4">
          <EmptyState
            title={isFiltered ? "No RPC passes the filter" : "This group allows nothing yet"}
            action={
              isFiltered && (
                <Button
                  onClick={() => {
                    setFilter("");
                    setOnlyGaps(false);
                  }}
                >
                  Clear the filter
                </Button>
              )
            }
          >
            {!isFiltered && (change ? "Add RPCs or parameters in the field above." : "It holds no RPC.")}
          </EmptyState>
        </div>
      )}
    </Section>
  );
}
