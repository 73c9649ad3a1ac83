import { Field as Base } from "@base-ui/react/field";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { useFieldError } from "@/app/_components/form/field-errors";

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Within a `DraftForm`, the field finds the error of `name` itself. */
  readonly error?: string | null | undefined;
  /** Path in the saved body, such as `endpoints.queryAppsUrl`; finds errors, and is a link target. */
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly hideLabel?: boolean | undefined;
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
}

export type OnChange<T> = ((value: T) => void) | false | null | undefined;

export function splitField<Props extends FieldProps>(props: Props) {
  const { label, hint, error, name, disabled, hideLabel, aside, className, ...control } = props;
  return [{ label, hint, error, name, disabled, hideLabel, aside, className }, control] as const;
}

export const fieldId = (name: string) => `field-${name.replaceAll(/[^\w-]/g, "_")}`;

export function Field({
  label,
  hint,
  error,
  name,
  disabled = false,
  hideLabel = false,
  aside,
  className,
  inline,
  children,
}: Readonly<
  FieldProps & {
    inline?: boolean;
    children: ReactNode;
  }
>) {
  const found = useFieldError(name);
  const problem = error ?? found;
  const texts = (
    <>
      {hint && <Base.Description className="text-xs text-muted">{hint}</Base.Description>}
      {problem && (
        <Base.Error match className="flex gap-1 text-xs font-medium text-bad">
          <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          {problem}
        </Base.Error>
      )}
    </>
  );
  return (
    <Base.Root
      id={name === undefined ? undefined : fieldId(name)}
      disabled={disabled}
      invalid={Boolean(problem)}
      className={cn("min-w-0", inline ? "flex items-start gap-2.5" : "space-y-1.5", className)}
    >
      {inline ? (
        <>
          {children}
          <div className="min-w-0 space-y-0.5">
            <Base.Label className={cn("block text-sm", hideLabel && "sr-only")}>{label}</Base.Label>
            {texts}
          </div>
        </>
      ) : (
        <>
          <div className={cn("flex items-baseline justify-between gap-2", hideLabel && !aside && "sr-only")}>
            <Base.Label className={cn("text-table font-medium", hideLabel && "sr-only")}>{label}</Base.Label>
            {aside && <span className="text-xs text-muted">{aside}</span>}
          </div>
          {children}
          {texts}
        </>
      )}
    </Base.Root>
  );
}
