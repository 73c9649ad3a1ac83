import { cn } from "@/app/_components/ui/cn";
import { type Environment, environments } from "@/lib/vocabulary/terms";

const names: Readonly<Record<Environment, string>> = { staging: "Staging", production: "Production" };

export function EnvironmentChoice({
  label,
  value,
  onChange,
  className,
}: Readonly<{
  label: string;
  value: Environment;
  onChange: (environment: Environment) => void;
  className?: string;
}>) {
  return (
    <div role="group" aria-label={label} className={cn("flex gap-1", className)}>
      {environments.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          className={cn(
            "-mb-px h-8 border-b-2 px-2.5 text-table font-medium pointer-coarse:h-11",
            name === value ? "border-accent text-text" : "border-transparent text-muted hover:text-text print:hidden",
          )}
          onClick={() => onChange(name)}
        >
          {names[name]}
        </button>
      ))}
    </div>
  );
}
