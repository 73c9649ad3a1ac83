import { AppNames } from "../effect-list";
import { countApps, effectHint, effectTitle } from "../effect-labels";
import { type GroupForm, toBody } from "../group-form";
import { GroupEffect, useSaveEffect } from "../group-effect";
import { Section } from "@/app/_components/ui/section";

export function EffectPane({ form, isDirty }: Readonly<{ form: GroupForm; isDirty: boolean }>) {
  // The name has no effect on apps; a new group has none yet.
  const name = form.name.trim() === "" ? "New group" : form.name;
  const state = useSaveEffect(toBody({ ...form, name }, null));
  const { effect } = state;
  return (
    <Section
      title={effectTitle}
      description={effect === null ? "In staging, after you save." : describeHolders(effect.holder_count, isDirty)}
    >
      {effect !== null && effect.holder_count > 0 && (
        <div className="mb-3 text-table">
          <AppNames apps={effect.holders} count={effect.holder_count} />
        </div>
      )}
      {isDirty || effect === null || effect.is_registration_lost || effect.is_update_lost ? (
        <GroupEffect {...state} />
      ) : (
        <p className="text-table text-muted">{effectHint}</p>
      )}
    </Section>
  );
}

function describeHolders(count: number, isDirty: boolean): string {
  const has = count === 1 ? "has" : "have";
  return isDirty
    ? `After you save, ${countApps(count)} in staging ${has} this group.`
    : `${countApps(count)} in staging ${has} this group.`;
}
