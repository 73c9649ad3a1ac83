import { NumberField } from "@/app/_components/fields/number-field";
import { Section } from "@/app/_components/ui/section";
import { priorityLabels } from "@/lib/vocabulary/module-config-labels";
import { notificationPriorities } from "@/lib/vocabulary/terms";
import { Compared } from "./compared";
import type { FormPart } from "./editable";

const columns = [
  { member: "notifications_per_minute_by_priority", label: "Normal" },
  { member: "subtle_notifications_per_minute_by_priority", label: "Subtle" },
] as const;

export function NotificationsTable({ value, set, production }: Readonly<FormPart>) {
  const isOdd = columns.some(({ member }) => (value[`${member}.NONE`] ?? 0) > (value[`${member}.EMERGENCY`] ?? 0));
  return (
    <Section
      id="notifications"
      title="Notifications per minute"
      description="By app priority, 0 to 255 each. Every app has the priority None until you set another one on its page; none has Projection. Subtle notifications do not cover the screen."
      flush
    >
      <table className="w-full text-table">
        <thead>
          <tr className="text-left text-xs text-muted">
            <th scope="col" className="px-4 py-2 font-medium">
              Priority
            </th>
            {columns.map(({ member, label }) => (
              <th key={member} scope="col" className="px-2 py-2 font-medium last:pr-4">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {notificationPriorities.map((priority) => (
            <tr key={priority}>
              <th scope="row" className="py-2 pr-2 pl-4 text-left font-normal">
                {priorityLabels[priority]}
              </th>
              {columns.map(({ member, label }) => {
                const name = `${member}.${priority}` as const;
                const change = (number: number | null) => set?.({ [name]: number });
                return (
                  <td key={member} className="w-[30%] px-2 py-1.5 align-top last:pr-4 sm:w-2/5">
                    <NumberField
                      label={`${priorityLabels[priority]}, ${label.toLowerCase()}`}
                      hideLabel
                      name={name}
                      min={0}
                      max={255}
                      value={value[name]}
                      onChange={set && change}
                    />
                    {set && (
                      <span className="text-xs">
                        <Compared value={value[name]} production={production?.[name]} onRevert={change} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {isOdd && (
        <p className="border-t border-line px-4 py-2 text-xs text-warn">
          Apps without a priority may show more than emergency apps.
        </p>
      )}
    </Section>
  );
}
