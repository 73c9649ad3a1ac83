import { Ban, CircleCheck, CircleDashed, Hand } from "lucide-react";
import { useState } from "react";
import { Link } from "@/app/_components/ui/link";
import { Chip } from "@/app/_components/ui/chip";
import { Fold } from "@/app/_components/ui/outline/fold";
import { mergeRights } from "@/app/_components/rights/rights";
import { RightLegend } from "@/app/_components/rights/right-mark";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { ItemLinks, WithheldList } from "@/app/_components/rights/withheld-list";
import type { AllowedRpcs, AppReasonsJson, GroupReasonJson } from "@/lib/policy/why/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";
import type { Environment } from "@/lib/vocabulary/terms";
import { titleOf } from "./simulation";
import { listWords } from "@/lib/policy/why/vocabulary";

const RightsTable = partOnDemand(
  () => import("@/app/_components/rights/rights-table").then((m) => m.RightsTable),
  "h-40",
);

const outcomes = {
  "own entry": { tone: "good", icon: CircleCheck, word: "Own permissions" },
  default: { tone: "warn", icon: CircleDashed, word: "Default permissions" },
  null: { tone: "calm", icon: Ban, word: "Nothing" },
} as const;

/** What each group of an answer allows, by name. */
export type AllowedByGroup = ReadonlyMap<string, AllowedRpcs>;

export function AppResult({
  reasons,
  allowed,
  environment,
  isOpen,
}: Readonly<{ reasons: AppReasonsJson; allowed: AllowedByGroup; environment: Environment; isOpen: boolean }>) {
  const { id, app, outcome, sentence, decided_by: rule, groups, withheld } = reasons;
  const { tone, icon, word } = outcomes[outcome];
  const title = titleOf(reasons);
  const rows = mergeRights(groups.map((one) => ({ ...one, rpcs: allowed.get(one.group) ?? [] })));
  const [isListed, setIsListed] = useState(false);
  return (
    <details open={isOpen} className="group/app rounded-card border border-line bg-surface">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-card px-4 py-3">
        <h2 className="text-sm leading-6 font-semibold wrap-anywhere">{title}</h2>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        {app?.version && <span className="text-table text-muted">{app.version}</span>}
        <span className="ml-auto text-table text-muted">
          {plural(groups.length, "group")}
          {withheld.length > 0 && `, ${withheld.length} not granted`}
        </span>
      </summary>
      <div className="space-y-5 border-t border-line px-4 py-3">
        <div className="text-table">
          <p>
            {sentence} <span className="text-xs text-muted">({rule})</span>
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-muted">
            <code className="font-mono text-xs break-all">{id}</code>
            {app && <Link href={`/applications/${app.version_id}`}>Open the app</Link>}
          </p>
        </div>
        {withheld.length > 0 && (
          <div>
            <h3 className="mb-1.5 text-table font-semibold">Requested but not granted</h3>
            <WithheldList withheld={withheld} environment={environment} />
          </div>
        )}
        {groups.length > 0 && (
          <div>
            <h3 className="mb-1.5 text-table font-semibold">Functional groups and reasons</h3>
            <GroupReasons groups={groups} allowed={allowed} environment={environment} />
          </div>
        )}
        {rows.length > 0 && (
          <Fold title={`${plural(rows.length, "RPC")} it may call, by HMI level`} onOpen={() => setIsListed(true)}>
            <div className="mb-2">
              <RightLegend states={["granted", "consent"]} showsAsked={false} />
            </div>
            <div className="overflow-hidden rounded-card border border-line">
              {isListed && (
                <RightsTable rows={rows} caption={`What ${title} may call`} environment={environment} areOpen={false} />
              )}
            </div>
          </Fold>
        )}
      </div>
    </details>
  );
}

const words: Readonly<Record<GroupReasonJson["because"], string>> = {
  "default group": "Every app gets it",
  "pre-consent": "For apps before the driver agrees to share data",
  device: "For the phone itself",
  "requested permission": "The app requests",
  "app service provider": "The app provides a service",
  "background alert": "The app may alert from the background",
  administrator: "The app is an administrator app",
  widget: "The app shows widgets",
  "proprietary grant": "Granted to the app manually",
};

export function GroupReasons({
  groups,
  allowed,
  environment,
}: Readonly<{ groups: readonly GroupReasonJson[]; allowed: AllowedByGroup; environment: Environment }>) {
  return (
    <ul className="divide-y divide-line border-y border-line text-table">
      {groups.map((one) => (
        <li
          key={one.group}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-1.5 sm:grid-cols-[14rem_minmax(0,1fr)_4.5rem]"
        >
          <span className="font-medium wrap-anywhere">
            <ItemLinks family="group" keys={[one.group]} environment={environment} />
          </span>
          <div className="min-w-0 max-sm:order-last max-sm:col-span-2">
            {describeCauses(one)}
            {one.consent_prompt !== null && (
              <span className="mt-0.5 flex flex-wrap items-center gap-1.5">
                <Chip tone="warn" icon={Hand}>
                  After consent
                </Chip>
                <ItemLinks family="message" keys={[one.consent_prompt]} environment={environment} />
              </span>
            )}
          </div>
          <span className="text-right whitespace-nowrap text-muted tabular-nums">
            {plural(allowed.get(one.group)?.length ?? 0, "RPC")}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "The app requests speed and rpm; granted to the app by hand" */
function describeCauses({ causes, because, permissions }: GroupReasonJson): string {
  const all = [...new Set([because, ...causes.map((one) => one.because)])];
  const sentences = all.map((cause) =>
    cause === "requested permission" ? `${words[cause]} ${listWords(permissions)}` : words[cause],
  );
  return sentences
    .map((one, index) => (index === 0 ? one : `${one.slice(0, 1).toLowerCase()}${one.slice(1)}`))
    .join("; ");
}
