import { Compass } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { Suspense, type ReactNode } from "react";
import { consoleSections } from "@/app/_components/shell/navigation/sections";
import { buttonClass } from "@/app/_components/ui/button-class";
import { LeaveNotFound } from "@/app/_components/feedback/leave-not-found";
import { inputClass } from "@/app/_components/fields/input-class";
import { cn } from "@/app/_components/ui/cn";

export function NotFoundPanel({
  title,
  action,
  children,
}: Readonly<{
  title: string;
  action?: ReactNode;
  children: ReactNode;
}>) {
  return (
    <div className="mx-auto max-w-xl py-10">
      {/* Prerendered pages have no parameters. */}
      <Suspense>
        <LeaveNotFound />
      </Suspense>
      <span className="mb-4 grid size-10 place-items-center rounded-full bg-hover text-muted">
        <Compass aria-hidden="true" className="size-5" />
      </span>
      <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
      <div className="mt-2 text-muted">{children}</div>
      {action && <div className="mt-4">{action}</div>}
      {/* Works without scripts. */}
      <form action="/applications" role="search" className="mt-6 flex gap-2">
        <input type="hidden" name="state" value="all" />
        <input
          type="search"
          name="q"
          aria-label="Search applications"
          placeholder="Search applications"
          className={inputClass}
        />
        <button type="submit" className={buttonClass()}>
          Search
        </button>
      </form>
      <ul className="mt-6 grid gap-1 sm:grid-cols-2">
        {consoleSections.map(({ href, label, icon: Icon }) => (
          <li key={href}>
            <Link href={href} className={cn(buttonClass({ variant: "ghost" }), "w-full justify-start")}>
              <Icon aria-hidden="true" className="text-muted" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
