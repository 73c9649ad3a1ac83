import { Search, X } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { cn } from "@/app/_components/ui/cn";
import { inputClass } from "@/app/_components/fields/input-class";
import { changeAddress } from "@/app/_components/list/list-address";
import { Spinner } from "@/app/_components/ui/spinner";
import { useSearchKey } from "@/app/_components/hooks/use-search-key";

const pauseMs = 250;

export function SearchBox({ label, placeholder = label }: Readonly<{ label: string; placeholder?: string }>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const stored = query.get("q") ?? "";
  const [text, setText] = useState(stored);
  const [sent, setSent] = useState(stored);
  const [isPending, startTransition] = useTransition();
  const field = useRef<HTMLInputElement>(null);
  const hasKey = useSearchKey(() => field.current);

  // Something else has changed the address: back, or a cleared filter.
  if (stored !== sent && !isPending) {
    setSent(stored);
    setText(stored);
  }

  useEffect(() => {
    if (text.trim() === sent) return;
    const timer = setTimeout(() => {
      setSent(text.trim());
      startTransition(() => {
        router.replace(changeAddress(pathname, query, { q: text.trim() }), { scroll: false });
      });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, sent, router, pathname, query]);

  return (
    <div role="search" className="relative max-sm:w-full sm:max-w-72 sm:grow sm:basis-52">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-muted">
        {isPending ? <Spinner label="Searching" /> : <Search aria-hidden="true" className="size-4" />}
      </span>
      <input
        ref={field}
        type="search"
        value={text}
        aria-label={label}
        aria-keyshortcuts={hasKey ? "/" : undefined}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        className={cn(inputClass, "px-8 [&::-webkit-search-cancel-button]:hidden")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && text !== "") {
            event.preventDefault();
            setText("");
          }
        }}
      />
      <span className="absolute inset-y-0 right-1 flex items-center">
        {text === "" ? (
          hasKey && (
            <kbd
              aria-hidden="true"
              className="mr-1 grid size-5 place-items-center rounded-[4px] border border-edge font-sans text-2xs text-muted max-sm:hidden pointer-coarse:hidden"
            >
              /
            </kbd>
          )
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            className="grid size-6 place-items-center rounded-control text-muted hover:bg-hover hover:text-text pointer-coarse:size-11"
            onClick={() => {
              setText("");
              field.current?.focus();
            }}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        )}
      </span>
    </div>
  );
}
