import { Field as Base } from "@base-ui/react/field";
import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { comboboxGroupClass, comboboxInputClass } from "@/app/_components/fields/input-class";
import type { ComboboxProps } from "@/app/_components/fields/combobox";
import { Field, type FieldProps, type OnChange } from "@/app/_components/fields/field";
import { InputOnDemand } from "@/app/_components/fields/input-on-demand";
import { onDemand } from "@/app/_components/overlay/on-demand";
import { TextField } from "@/app/_components/fields/text-field";

const useComboboxInput = onDemand(() => import("@/app/_components/fields/combobox").then((m) => m.ComboboxInput));

/** Null: none. Read-only without `onChange`. */
export function ComboboxField({
  value,
  onChange,
  options,
  placeholder = "Search…",
  emptyText = "Nothing found",
  ...field
}: Readonly<
  FieldProps &
    Pick<ComboboxProps, "value" | "options"> &
    Partial<Omit<ComboboxProps, "onChange">> & { onChange?: OnChange<string | null> }
>) {
  const text = options.find((option) => option.value === value)?.label ?? "";
  if (!onChange) return <TextField {...field} value={text} placeholder={placeholder} />;
  return (
    <Field {...field}>
      <InputOnDemand<ComboboxProps>
        useCode={useComboboxInput}
        plain={<PlainInput key={text} defaultValue={text} placeholder={placeholder} />}
        props={{ value, onChange, options, placeholder, emptyText }}
      />
    </Field>
  );
}

function PlainInput(props: ComponentProps<"input">) {
  return (
    <div className={comboboxGroupClass}>
      <Base.Control {...props} className={comboboxInputClass} />
      <ChevronsUpDown aria-hidden="true" className="mx-2 size-3.5 shrink-0 text-muted" />
    </div>
  );
}
