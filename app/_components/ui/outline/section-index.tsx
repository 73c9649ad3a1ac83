"use client";
import { useEffect, useState } from "react";
import { cn } from "@/app/_components/ui/cn";

export interface IndexEntry {
  readonly id: string;
  readonly label: string;
}

export function SectionIndex({ entries }: Readonly<{ entries: readonly IndexEntry[] }>) {
  const current = useCurrentSection(entries);
  return (
    <nav aria-label="On this page" className="max-xl:hidden">
      <ul className="sticky top-[calc(var(--header)+var(--strip)+1.25rem)] border-l border-line text-table">
        {entries.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className={cn(
                "-ml-px block border-l-2 px-3 py-1 no-underline",
                id === current
                  ? "border-accent font-medium text-text"
                  : "border-transparent text-muted hover:text-text",
              )}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useCurrentSection(entries: readonly IndexEntry[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const visible = new Set<string>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        setCurrent(entries.find(({ id }) => visible.has(id))?.id ?? null);
      },
      // Sections below the middle are not being read yet.
      { rootMargin: "-64px 0px -50% 0px" },
    );
    for (const { id } of entries) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [entries]);
  return current;
}
