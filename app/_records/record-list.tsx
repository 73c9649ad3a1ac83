import { useState } from "react";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PromoteButton } from "@/app/_records/promote-button";
import type { RecordListProps } from "@/app/_records/listed-kind";
import { RecordTable } from "@/app/_records/record-table";
import { reviewPath } from "@/app/_releases/item-address";
import { StateTabs } from "@/app/_records/state-tabs";

interface Question<Row> {
  readonly act: "delete" | "restore";
  readonly row: Row;
}

/** The page that lists the records of one environment, with all that can be done with them. */
export function RecordList<Row extends { readonly id: number }>(props: Readonly<RecordListProps<Row>>) {
  const { kind, query, counts, waiting, panel, tabs = [] } = props;
  const selection = useSelection();
  const [asked, setAsked] = useState<Question<Row> | null>(null);
  const close = () => {
    setAsked(null);
  };
  const creation = `${kind.section}/manage?environment=staging`;
  return (
    <>
      <PageHeader
        title={kind.label}
        helpHref={kind.helpHref}
        description={kind.description}
        actions={
          query.environment === "staging" && (
            <>
              {props.actions}
              {waiting > 0 && <PromoteButton href={reviewPath([{ family: kind.family }])} />}
              <LinkButton href={creation} variant="primary">
                New {kind.word}
              </LinkButton>
            </>
          )
        }
      />
      <StateTabs
        kind={kind}
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
          onRemove={(act, row) => {
            setAsked({ act, row });
          }}
        />
      )}
      {asked && props.renderRemoval(asked.row, asked.act === "restore", close)}
    </>
  );
}
