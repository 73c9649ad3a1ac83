import { Fold } from "@/app/_components/ui/outline/fold";
import { Section } from "@/app/_components/ui/section";
import type { SimulationAnswer } from "@/lib/simulator/answer-schema";
import { plural } from "@/lib/labels/format-number";
import type { Environment } from "@/lib/labels/vocabulary";
import { GroupReasons } from "./group-reasons";

/** The entries that every table has, whatever apps a vehicle asks for. */
export function FixedEntries({
  entries,
  environment,
  isOpen,
}: Readonly<{ entries: SimulationAnswer["fixed"]; environment: Environment; isOpen: boolean }>) {
  return (
    <Section title="What every vehicle gets" description="Entries that stand in every table, without any app.">
      <div className="space-y-2">
        {entries.map(({ id, groups }) => (
          <Fold key={id} isOpen={isOpen} title={`${id}: ${plural(groups.length, "group")}`}>
            {groups.length === 0 ? (
              <p className="text-table text-muted">No group grants it anything.</p>
            ) : (
              <GroupReasons groups={groups} environment={environment} />
            )}
          </Fold>
        ))}
      </div>
    </Section>
  );
}
