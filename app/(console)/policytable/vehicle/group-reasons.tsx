import { Hand } from "lucide-react";
import { ItemLinks } from "@/app/_components/rights/item-links";
import { Chip } from "@/app/_components/ui/chip";
import type { GroupReasonJson } from "@/lib/simulator/answer-schema";
import { plural } from "@/lib/words/format-number";
import type { Environment } from "@/lib/words/vocabulary";

/** How each cause is said of a group. */
const words: Readonly<Record<GroupReasonJson["because"], string>> = {
  "default group": "Every app gets it",
  "pre-consent": "For apps before the driver has agreed to share data",
  device: "For the phone itself",
  "requested permission": "The app asks for",
  "app service provider": "The app provides a service",
  "background alert": "The app may alert from the background",
  administrator: "The app is an administrator app",
  widget: "The app shows widgets",
  "proprietary grant": "Granted to the app by hand",
};
const mostNamed = 5;

/** The groups of an entry: why each is there, and what the driver is asked first. */
export function GroupReasons({
  groups,
  environment,
}: Readonly<{ groups: readonly GroupReasonJson[]; environment: Environment }>) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-table">
        <thead className="text-xs text-muted">
          <tr>
            {["Group", "Why", "Brings"].map((name) => (
              <th key={name} scope="col" className="border-b border-line py-1.5 pr-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {groups.map((one) => (
            <tr key={one.group}>
              <th scope="row" className="py-1.5 pr-4 align-top font-medium">
                <ItemLinks family="group" keys={[one.group]} environment={environment} />
              </th>
              <td className="py-1.5 pr-4 align-top">
                {describeCauses(one)}
                {one.consent_prompt !== null && (
                  <span className="mt-0.5 flex flex-wrap items-center gap-1.5 text-muted">
                    <Chip tone="warn" icon={Hand}>
                      After consent
                    </Chip>
                    <ItemLinks family="message" keys={[one.consent_prompt]} environment={environment} />
                  </span>
                )}
              </td>
              <td className="py-1.5 align-top whitespace-nowrap text-muted tabular-nums">
                {one.rpcs.length === 0 ? "–" : plural(one.rpcs.length, "RPC")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "The app asks for speed, rpm and 3 more; Granted to the app by hand" */
export function describeCauses({ causes, because, permissions }: Omit<GroupReasonJson, "rpcs">): string {
  const all = [...new Set([because, ...causes.map((one) => one.because)])];
  const sentences = all.map((cause) =>
    cause === "requested permission" ? `${words[cause]} ${listShort(permissions)}` : words[cause],
  );
  return sentences.join("; ");
}

function listShort(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
