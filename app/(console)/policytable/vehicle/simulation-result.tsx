import { Check, Copy, FileCheck2, FileWarning } from "lucide-react";
import { Findings } from "@/app/_components/feedback/findings";
import { Chip } from "@/app/_components/ui/chip";
import { Section } from "@/app/_components/ui/section";
import type { SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";
import { nameOf, type SourceOption } from "../sources";
import { type AllowedByGroup, AppResult, GroupReasons } from "./app-result";
import { buildCurl, type Run } from "./simulation";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { useCopy } from "@/app/_components/hooks/use-copy";
import { Fold } from "@/app/_components/ui/outline/fold";
import type { Environment } from "@/lib/vocabulary/terms";

const JsonViewer = partOnDemand(
  () => import("@/app/_components/json-viewer/json-viewer").then((m) => m.JsonViewer),
  "h-112",
);

const maxOpen = 3;
const builds = [
  ["regular", "Standard head unit"],
  ["external", "External policy head unit"],
] as const;

export function SimulationResult({
  answer,
  run,
  sources,
  origin,
}: Readonly<{ answer: SimulationAnswer; run: Run; sources: readonly SourceOption[]; origin: string }>) {
  const { reasons, fixed, verdict, bytes, table } = answer;
  const allowed: AllowedByGroup = new Map(answer.groups.map(({ group, rpcs }) => [group, rpcs]));
  const findings = builds.flatMap(([build]) => verdict[build].findings);
  const environment = run.of === "staging" ? "staging" : "production";
  const apps = reasons.length === 0 ? "no apps" : plural(reasons.length, "app");
  return (
    <>
      <Section
        title="What the vehicle receives"
        description={`${nameOf(run.of, sources)}, ${apps}: ${kilobytes(bytes.plain)}, ${kilobytes(bytes.gzip)} compressed.`}
        actions={<CopyText text={buildCurl(answer, run.of, origin)} label="Copy as curl" />}
      >
        <ul aria-label="Head unit verdicts" className="flex flex-wrap gap-2">
          {builds.map(([build, name]) => (
            <li key={build}>
              <Verdict name={name} isAccepted={verdict[build].is_accepted} count={verdict[build].findings.length} />
            </li>
          ))}
        </ul>
        {findings.length > 0 && (
          <div className="mt-3">
            <Findings findings={findings} />
          </div>
        )}
      </Section>
      {reasons.map((one) => (
        <AppResult
          key={one.id}
          reasons={one}
          allowed={allowed}
          environment={environment}
          isOpen={reasons.length <= maxOpen}
        />
      ))}
      {fixed.length > 0 && (
        <FixedEntries entries={fixed} allowed={allowed} environment={environment} isOpen={reasons.length === 0} />
      )}
      <AnswerJson table={table} source={run.of} />
    </>
  );
}

function Verdict({ name, isAccepted, count }: Readonly<{ name: string; isAccepted: boolean; count: number }>) {
  if (isAccepted) {
    return (
      <Chip tone={count === 0 ? "good" : "warn"} icon={FileCheck2}>
        {count === 0 ? `${name}: accepts it` : `${name}: accepts it, ${plural(count, "remark")}`}
      </Chip>
    );
  }
  return (
    <Chip tone="bad" icon={FileWarning}>
      {`${name}: refuses it`}
    </Chip>
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kB`;
}

function AnswerJson({ table, source }: Readonly<{ table: unknown; source: string }>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Section
      title="The whole answer"
      description="The policy table as the vehicle receives it, without the private key."
      flush={isShown}
      actions={
        <Button size="sm" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? "Hide JSON" : "Show JSON"}
        </Button>
      }
    >
      {isShown && (
        <JsonViewer
          value={table}
          label="Policy table of the answer"
          fileName={`policy-table-vehicle-${source}.json`}
          firstDepth={2}
          className="h-[70dvh] min-h-96"
        />
      )}
    </Section>
  );
}

function CopyText({ text, label }: Readonly<{ text: string; label: string }>) {
  const { state, words, copy, forget } = useCopy(text, label);
  return (
    <Button size="sm" onClick={() => void copy()} onBlur={forget}>
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

function FixedEntries({
  entries,
  allowed,
  environment,
  isOpen,
}: Readonly<{
  entries: SimulationAnswer["fixed"];
  allowed: AllowedByGroup;
  environment: Environment;
  isOpen: boolean;
}>) {
  return (
    <Section title="What every vehicle receives" description="Entries in every table, regardless of apps.">
      <div className="space-y-2">
        {entries.map(({ id, groups }) => (
          <Fold key={id} isOpen={isOpen} title={`${id}: ${plural(groups.length, "group")}`}>
            {groups.length === 0 ? (
              <p className="text-table text-muted">No group grants it anything.</p>
            ) : (
              <GroupReasons groups={groups} allowed={allowed} environment={environment} />
            )}
          </Fold>
        ))}
      </div>
    </Section>
  );
}
