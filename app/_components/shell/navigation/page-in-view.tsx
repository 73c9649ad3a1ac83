"use client";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useOptimistic } from "react";
import { followSteps } from "@/app/_components/shell/navigation/page-steps";

const PageSkeleton = dynamic(
  () => import("@/app/_components/shell/navigation/page-skeleton").then((module) => module.PageSkeleton),
  { ssr: false },
);

/** `loading.tsx` would also cover the first page: that would need scripts, and an unknown record would answer 200. */
export function PageInView({ children }: Readonly<{ children: ReactNode }>) {
  const pathname = usePathname();
  const [next, setNext] = useOptimistic(pathname);
  useEffect(() => followSteps(setNext), [setNext]);
  const isLeaving = next !== pathname;
  return (
    <div className="relative" aria-busy={isLeaving}>
      {children}
      {isLeaving && (
        <div data-leaving="" className="absolute inset-0 z-20 animate-appear bg-page">
          <p role="status" className="sr-only">
            Loading the page…
          </p>
          <div className="sticky top-[calc(var(--header)+var(--strip)+1.25rem)] max-h-[calc(100dvh-var(--header)-var(--strip)-1.25rem)] overflow-hidden bg-page">
            <PageSkeleton path={next} />
          </div>
        </div>
      )}
    </div>
  );
}
