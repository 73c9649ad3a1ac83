"use client";
import { useState } from "react";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PromoteButton } from "@/app/_records/promote-button";
import type { RecordListProps } from "@/app/_records/record-family";
import { RecordTable } from "@/app/_records/record-table";
import { StateTabs } from "@/app/_records/state-tabs";

type Act<Row> =
  | { readonly kind: "promote"; readonly ids: readonly number[] | null }
  | { readonly kind: "delete" | "restore"; readonly row: Row };

/** The page that lists the records of one environment, with all that can be done with them. */
export function RecordList<Row extends { readonly id: number }>(props: Readonly<RecordListProps<Row>>) {
  const { family, query, counts, waiting, panel, tabs = [] } = props;
  const selection = useSelection();
  const [act, setAct] = useState<Act<Row> | null>(null);
  const close = () => {
    setAct(null);
  };
  const promote = (ids: readonly number[] | null) => {
    setAct({ kind: "promote", ids });
  };
  const creation = `${family.path}/manage?environment=staging`;
  return (
    <>
      <PageHeader
        title={family.title}
        helpHref={family.helpHref}
        description={family.description}
        actions={
          query.environment === "staging" && (
            <>
              {props.actions}
              {waiting > 0 && (
                <PromoteButton
                  onClick={() => {
                    promote(null);
                  }}
                />
              )}
              <LinkButton href={creation} variant="primary">
                New {family.word}
              </LinkButton>
            </>
          )
        }
      />
      <StateTabs
        family={family}
        environment={query.environment}
        current={panel ? null : (query.state ?? "all")}
        counts={counts}
        more={tabs}
      />
      {panel ?? (
        <RecordTable
          {...props}
          creation={creation}
          selection={selection}
          onPromote={promote}
          onRemove={(kind, row) => {
            setAct({ kind, row });
          }}
        />
      )}
      {act?.kind === "promote" && props.renderPromotion(act.ids, close, selection.clear)}
      {(act?.kind === "delete" || act?.kind === "restore") &&
        props.renderRemoval(act.row, act.kind === "restore", close)}
    </>
  );
}
