import { Hand } from "lucide-react";
import { ItemLinks } from "@/app/_components/rights/item-links";
import { Chip } from "@/app/_components/ui/chip";
import type { GroupReasonJson } from "@/lib/simulator/answer-schema";
import { listWords } from "@/lib/simulator/vocabulary";
import { plural } from "@/lib/labels/format-number";
import type { Environment } from "@/lib/labels/vocabulary";

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

/** The groups of an entry: why each is there, and what the driver is asked first. */
export function GroupReasons({
  groups,
  environment,
}: Readonly<{ groups: readonly GroupReasonJson[]; environment: Environment }>) {
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
            {one.rpcs.length === 0 ? "" : plural(one.rpcs.length, "RPC")}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "The app requests speed and rpm; granted to the app by hand" */
export function describeCauses({ causes, because, permissions }: Omit<GroupReasonJson, "rpcs">): string {
  const all = [...new Set([because, ...causes.map((one) => one.because)])];
  const sentences = all.map((cause) =>
    cause === "requested permission" ? `${words[cause]} ${listWords(permissions)}` : words[cause],
  );
  return sentences
    .map((one, index) => (index === 0 ? one : `${one.slice(0, 1).toLowerCase()}${one.slice(1)}`))
    .join("; ");
}
