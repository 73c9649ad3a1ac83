import { CircleCheck, CircleMinus, TriangleAlert } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import type { ConfigurationFact } from "@/lib/console/about/facts";

const looks = {
  ok: { tone: "good", icon: CircleCheck, word: "OK" },
  attention: { tone: "warn", icon: TriangleAlert, word: "Attention" },
  off: { tone: "calm", icon: CircleMinus, word: "Off" },
} as const;

/** The settings that matter most: how each is now, and why it matters. */
export function ConfigurationTable({ facts }: Readonly<{ facts: readonly ConfigurationFact[] }>) {
  return (
    <ul className="divide-y divide-line text-table">
      {facts.map(({ name, state, value, why, setting }) => {
        const { tone, icon, word } = looks[state];
        return (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2.5">
            <p className="font-medium">
              {name}: <span className="font-normal">{value}</span>
            </p>
            <Chip tone={tone} icon={icon}>
              {word}
            </Chip>
            <p className="text-muted">
              {why} <code className="font-mono text-2xs whitespace-nowrap">{setting}</code>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
