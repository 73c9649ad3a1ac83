"use client";
import { Copy, Ellipsis, Eye, Pencil, Rocket, Trash2, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { Button } from "@/app/_components/button";
import { guides } from "@/app/_components/guides";
import { IconButton } from "@/app/_components/icon-button";
import { LinkButton } from "@/app/_components/link-button";
import { Menu, type MenuEntry } from "@/app/_components/menu";
import { Notice } from "@/app/_components/notice";
import { PageHeader } from "@/app/_components/page-header";
import { RecordChip } from "@/app/_components/status-chip";
import { TimeAgo } from "@/app/_components/time-ago";
import { groupPath } from "@/lib/groups/list-address";

const PromoteGroupsDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/promote-groups-dialog").then((module) => module.PromoteGroupsDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

type Act = "promote" | "delete" | "restore";

/** Name and state of the group, and what can be done with it as a whole. */
export function EditorHeader({
  facts,
  name,
  isDirty,
  discard,
}: Readonly<{ facts: GroupFacts; name: string; isDirty: boolean; discard: () => void }>) {
  const { id, status, environment, isDeleted, isPromoted, changedAt } = facts;
  const [act, setAct] = useState<Act | null>(null);
  const close = () => {
    setAct(null);
  };
  const isStaging = environment === "staging";
  const isNew = id === 0;
  const entries: MenuEntry[] = [
    { label: "Duplicate", icon: Copy, href: `/functionalgroups/manage?from=${id}` },
    ...(isStaging && isPromoted
      ? [{ label: "View in production", icon: Eye, href: groupPath({ name }, "production") }]
      : []),
    "separator",
    {
      label: "Delete…",
      icon: Trash2,
      danger: true,
      onSelect: () => {
        setAct("delete");
      },
    },
  ];
  return (
    <>
      <PageHeader
        title={isNew ? "New functional group" : name}
        crumbs={[{ label: "Functional groups", href: `/functionalgroups?environment=${environment}` }]}
        helpHref={guides.functionalGroups}
        state={
          <>
            {status !== "" && <RecordChip status={status} isDeleted={isDeleted} isNew={!isPromoted} />}
            {changedAt !== null && (
              <span className="text-table text-muted">
                {status === "PRODUCTION" ? "promoted" : "saved"} <TimeAgo at={changedAt} />
              </span>
            )}
          </>
        }
        actions={
          isNew ? null : isStaging ? (
            <>
              {isDeleted && (
                <Button
                  needsServer
                  onClick={() => {
                    setAct("restore");
                  }}
                >
                  <Undo2 aria-hidden="true" />
                  Restore…
                </Button>
              )}
              {status === "STAGING" && (
                <Button
                  needsServer
                  onClick={() => {
                    setAct("promote");
                  }}
                >
                  <Rocket aria-hidden="true" />
                  Promote…
                </Button>
              )}
              {!isDeleted && (
                <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />} entries={entries} />
              )}
            </>
          ) : (
            <LinkButton href={groupPath({ name }, "staging")} variant="primary">
              <Pencil aria-hidden="true" />
              Edit in staging
            </LinkButton>
          )
        }
      />
      {!isStaging && (
        <Notice tone="info" className="mb-4">
          This is what production has; it is changed by promoting staging.
        </Notice>
      )}
      {isDeleted && (
        <Notice tone="bad" className="mb-4" title="Marked for deletion">
          It is gone from the staging table
          {isPromoted ? " and leaves production when the deletion is promoted." : "."} Restore it to edit it.
        </Notice>
      )}
      {act === "promote" && (
        <PromoteGroupsDialog
          ids={[id]}
          onClose={close}
          // Only what is saved can go there: who has typed more must know.
          warning={isDirty ? "Your unsaved changes are not part of it. Save first to promote them." : null}
        />
      )}
      {(act === "delete" || act === "restore") && (
        <RemovalDialog
          group={{ name, isNew: !isPromoted }}
          isRestore={act === "restore"}
          onClose={close}
          onDone={discard}
        />
      )}
    </>
  );
}
