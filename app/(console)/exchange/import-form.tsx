"use client";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { Notice } from "@/app/_components/feedback/notice";
import { Problem, ProblemBox } from "@/app/_components/feedback/problem";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { useAction } from "@/app/_components/hooks/use-action";
import { useObstacle } from "@/app/_components/shell/role";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import type { ImportAnswer } from "@/lib/exchange/answer-schema";
import { describeRefusal, type PolicyFile, readPolicyFile, FileRefusal } from "@/lib/exchange/policy-file";
import { plural } from "@/lib/vocabulary/format-number";
import { ApiError, ask } from "@/lib/platform/http/client";
import { hasApps, ImportPlan } from "./import-plan";

const route = "/api/v1/exchange";

interface Chosen {
  readonly file: PolicyFile;
  readonly plan: ImportAnswer | null;
  /** Staging has changed since an earlier preview of the file. */
  readonly isMoved: boolean;
}

export function ImportForm() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [prune, setPrune] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [imported, setImported] = useState<ImportAnswer | null>(null);
  const action = useAction(route);
  const obstacle = useObstacle(true, "edit");
  const asked = useRef(0);

  async function plan(find: PolicyFile | Promise<PolicyFile>, isPruned: boolean, isMoved = false) {
    asked.current += 1;
    const own = asked.current;
    const isLatest = () => own === asked.current;
    setProblem(null);
    setImported(null);
    try {
      const file = await find;
      if (!isLatest()) return;
      setChosen({ file, plan: null, isMoved });
      const body = { document: file.document, prune: isPruned, dry_run: true };
      const answer = (await ask([route, JSON.stringify(body)]).catch((error: unknown) => {
        throw inFile(error, file);
      })) as ImportAnswer;
      if (isLatest()) setChosen({ file, plan: answer, isMoved });
    } catch (error) {
      if (!isLatest()) return;
      setChosen(null);
      setProblem(error);
    }
  }

  function changePrune(isPruned: boolean) {
    setPrune(isPruned);
    if (chosen !== null) void plan(chosen.file, isPruned);
  }

  async function importFile(file: PolicyFile, { items }: ImportAnswer) {
    setProblem(null);
    const planned = items.map(({ family, key, digest }) => ({ family, key, digest }));
    try {
      const answer = (await action.run({ document: file.document, prune, planned })) as ImportAnswer;
      setChosen(null);
      setImported(answer);
    } catch (error) {
      if (isMovedError(error)) await plan(file, prune, true);
      else setProblem(inFile(error, file));
    }
  }

  return (
    <div className="space-y-4">
      <label
        className={cn(
          "relative flex flex-col items-center gap-1 rounded-card border border-dashed border-field px-4 py-8 text-center text-table",
          "focus-within:outline-2 focus-within:outline-accent",
          obstacle === null ? "hover:bg-hover" : "text-muted",
        )}
      >
        <FileUp aria-hidden="true" className="size-5 text-muted" />
        <span className="font-medium">Choose a file, or drop it here</span>
        <span className="text-muted">{obstacle ?? "JSON, as this page or the command line exports it"}</span>
        <input
          type="file"
          accept=".json,application/json"
          disabled={obstacle !== null || action.isRunning}
          // A native file input also accepts dropped files.
          className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) void plan(readPolicyFile(file), prune);
            // Lets the reader choose the same file again.
            target.value = "";
          }}
        />
      </label>
      <CheckboxField
        label="Delete what the file does not mention"
        hint="Groups, messages and vehicle data. Apps and the module config always stay."
        checked={prune}
        onChange={action.isRunning ? undefined : changePrune}
      />
      {problem !== null && <Failure error={problem} />}
      <div role="status" className="empty:hidden">
        {chosen?.plan === null && <p className="text-table text-muted">{`Checking ${chosen.file.name}…`}</p>}
        {imported !== null && (
          <Notice tone="good" title={`Imported ${plural(imported.items.length, "item")} into staging`}>
            Vehicles receive what is in staging once it is published.
            {hasApps(imported.items) && " Blocks, limits and settings of apps are in effect already."}{" "}
            <Link href="/changes">Review changes</Link>
            {imported.approval && (
              <>
                {" "}
                What gives apps more in production waits for the approval of another person.{" "}
                <Link href={imported.approval.path}>See the request</Link>
              </>
            )}
          </Notice>
        )}
      </div>
      {chosen?.plan && chosen.isMoved && (
        <Notice title="Nothing was imported: staging has changed since the preview">
          This is the new preview. Check it, then import.
        </Notice>
      )}
      {chosen?.plan && (
        <ImportPlan name={chosen.file.name} plan={chosen.plan}>
          <Button
            variant="primary"
            needsServer
            needs="edit"
            busy={action.isRunning}
            onClick={() => chosen.plan && void importFile(chosen.file, chosen.plan)}
          >
            Import {plural(chosen.plan.items.length, "item")} into staging
          </Button>
        </ImportPlan>
      )}
    </div>
  );
}

/** The server refuses an import that differs from its preview (`exchange.md` X2b). */
const isMovedError = (error: unknown) =>
  error instanceof ApiError &&
  error.status === 409 &&
  typeof error.data === "object" &&
  error.data !== null &&
  "moved" in error.data;

function inFile(error: unknown, file: PolicyFile): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error;
  return new ApiError(describeRefusal(error.message, file), error.status, error.requestId, error.data);
}

function Failure({ error }: Readonly<{ error: unknown }>) {
  return error instanceof FileRefusal ? <ProblemBox sentence={error.message} /> : <Problem error={error} />;
}
