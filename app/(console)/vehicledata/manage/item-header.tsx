"use client";
import { Copy, Ellipsis, Eye, Pencil, Rocket, Trash2, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { EditorFacts } from "@/app/(console)/vehicledata/manage/item-facts";
import { Button } from "@/app/_components/button";
import { guides } from "@/app/_components/guides";
import { IconButton } from "@/app/_components/icon-button";
import { LinkButton } from "@/app/_components/link-button";
import { Menu, type MenuEntry } from "@/app/_components/menu";
import { Notice } from "@/app/_components/notice";
import { PageHeader } from "@/app/_components/page-header";
import { RecordChip } from "@/app/_components/status-chip";
import { TimeAgo } from "@/app/_components/time-ago";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

const PromoteDialog = dynamic(
  () => import("@/app/(console)/vehicledata/promote-dialog").then((module) => module.PromoteDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/vehicledata/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

/** Name and state of the item, and what can be done with it as a whole. */
export function ItemHeader({
  facts,
  name,
  isDirty,
  discard,
}: Readonly<{ facts: EditorFacts; name: string; isDirty: boolean; discard: () => void }>) {
  const router = useRouter();
  const { id, status, environment, isDeleted, isPromoted, changedAt, usedBy, pending } = facts;
  const [act, setAct] = useState<"promote" | "delete" | "restore" | null>(null);
  const close = () => {
    setAct(null);
  };
  const isStaging = environment === "staging";
  const isNew = id === 0;
  const remove = () => {
    setAct("delete");
  };
  const entries: MenuEntry[] = [
    { label: "Duplicate", icon: Copy, href: `/vehicledata/manage?from=${id}` },
    ...(isPromoted ? [{ label: "View in production", icon: Eye, href: vehicleDataPath(id, "production") }] : []),
    "separator",
    { label: "Delete…", icon: Trash2, danger: true, onSelect: remove },
  ];
  return (
    <>
      <PageHeader
        title={isNew ? "New item of vehicle data" : <span className="break-all">{name}</span>}
        crumbs={[{ label: "Vehicle data", href: `/vehicledata?environment=${environment}` }]}
        helpHref={guides.vehicleData}
        state={
          <>
            {status !== null && <RecordChip status={status} isDeleted={isDeleted} isNew={!isPromoted} />}
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
            <LinkButton href={vehicleDataPath(id, "staging")} variant="primary">
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
        <PromoteDialog
          items={pending}
          onClose={close}
          // Only what is saved can go there: who has typed more must know.
          warning={isDirty ? "Your unsaved changes are not part of it. Save first to promote them." : null}
        />
      )}
      {(act === "delete" || act === "restore") && (
        <RemovalDialog
          item={{ name, isNew: !isPromoted, usedBy }}
          isRestore={act === "restore"}
          onClose={close}
          onDone={(savedId) => {
            discard();
            if (savedId !== null) router.replace(vehicleDataPath(savedId, "staging"));
          }}
        />
      )}
    </>
  );
}
