import { textInputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";

/** Within a form, Enter does not save. */
export function SearchInput({
  label,
  placeholder = label,
  value,
  onChange,
  className,
}: Readonly<{
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
}>) {
  return (
    <input
      type="search"
      value={value}
      aria-label={label}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      className={cn(textInputClass, className)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.preventDefault();
      }}
    />
  );
}
