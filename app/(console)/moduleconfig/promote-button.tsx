"use client";
import { Upload } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { ChangeTable } from "@/app/_components/form/change-table";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { Notice } from "@/app/_components/notice";
import { showDone } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import { ApiError } from "@/lib/http/client";
import type { WireModuleConfig } from "@/lib/module-config/wire";
import { labels, toEditable } from "./editable";
import { useHasDraft } from "./use-has-draft";

/** Publishes the saved state of staging, after showing what will change. */
export function PromoteButton({
  staged,
  production,
}: Readonly<{ staged: WireModuleConfig; production: WireModuleConfig | null }>) {
  const promote = useAction("/api/v1/module/promote");
  const hasDraft = useHasDraft();
  const [isForced, setIsForced] = useState(false);
  const before = production === null ? {} : toEditable(production);
  const after = toEditable(staged);
  const changed = listDifferences(before, after);

  async function run() {
    try {
      await promote.run(isForced ? { force: true } : {});
    } catch (error) {
      // Head units would refuse the table: the next attempt may be made in spite of that.
      if (error instanceof ApiError && error.status === 409) setIsForced(true);
      throw error;
    }
    showDone("Module config promoted to production");
  }

  return (
    <ConfirmDialog
      title="Promote the module config?"
      confirmLabel={isForced ? "Promote anyway" : "Promote module config"}
      danger={isForced}
      onConfirm={run}
      onOpenChange={() => {
        setIsForced(false);
      }}
      trigger={
        <Button variant="primary" needsServer>
          <Upload aria-hidden="true" />
          Promote to production
        </Button>
      }
    >
      <p>Vehicles receive the saved state of staging from now on, in place of what production has.</p>
      {hasDraft && (
        <Notice>What you have not saved yet is not part of it. To promote it as well, cancel and save first.</Notice>
      )}
      {changed.length === 0 ? (
        <p>All settings are equal to production; only the certificate may differ.</p>
      ) : (
        <div className="text-text">
          <ChangeTable before={before} after={after} changed={changed} labels={labels} />
        </div>
      )}
    </ConfirmDialog>
  );
}
