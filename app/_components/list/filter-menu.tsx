import { ChevronDown } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { changeAddress } from "@/app/_components/list/list-address";
import { Menu } from "@/app/_components/overlay/menu";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
  readonly short?: string;
}

export function FilterMenu({
  label,
  parameter,
  choices,
  anyLabel = "Any",
  hasChip = false,
  replaces = [],
  className,
}: Readonly<{
  label: string;
  parameter: string;
  choices: readonly FilterChoice[];
  anyLabel?: string | undefined;
  /** Whether a chip says what is chosen. */
  hasChip?: boolean;
  /** Parameters that a choice removes. */
  replaces?: readonly string[];
  className?: string;
}>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const chosen = choices.find(({ value }) => value === query.get(parameter));
  const trigger = (
    <button
      type="button"
      className={cn(
        buttonClass(),
        "font-normal",
        chosen && "border-accent-line bg-accent-soft hover:bg-accent-soft",
        className,
      )}
    >
      <span className={chosen ? "" : "text-muted"}>{label}</span>
      {chosen && !hasChip && <strong className="max-w-40 truncate font-medium">{chosen.label}</strong>}
      <ChevronDown aria-hidden="true" className="text-muted" />
    </button>
  );
  return (
    <Menu
      align="start"
      trigger={trigger}
      entries={[
        {
          value: chosen?.value ?? "",
          choices: [{ value: "", label: anyLabel }, ...choices],
          onChoose: (value) => {
            const others = Object.fromEntries(replaces.map((name) => [name, null]));
            router.push(changeAddress(pathname, query, { ...others, [parameter]: value }), { scroll: false });
          },
        },
      ]}
    />
  );
}
