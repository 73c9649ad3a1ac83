"use client";
import { Section } from "@/app/_components/ui/section";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { Compared } from "./compared";
import type { FormPart } from "./editable";

/** Whether the lock screen can be put away. */
export function LockScreenField({ value, set, production }: Readonly<FormPart>) {
  const isAllowed = value.lock_screen_dismissal_enabled;
  const change = (is: boolean) => set?.({ lock_screen_dismissal_enabled: is });
  return (
    <Section id="lock-screen" title="Lock screen">
      <SwitchField
        label="Users may dismiss the lock screen"
        hint="While the phone is connected. The head unit should warn, and make sure that it is not the driver."
        checked={isAllowed}
        disabled={set === null}
        onChange={change}
      />
      <div className="mt-2 text-xs empty:hidden">
        {set && <Compared value={isAllowed} production={production?.lock_screen_dismissal_enabled} onRevert={change} />}
      </div>
    </Section>
  );
}
