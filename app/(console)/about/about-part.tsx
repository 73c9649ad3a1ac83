import type { ReactNode } from "react";

/** The parts of the page, as its index names them. */
export const aboutParts = [
  { id: "status", title: "Status" },
  { id: "settings", title: "Settings" },
  { id: "preferences", title: "Preferences" },
] as const;

/** One part of the page under a heading of its own. */
export function AboutPart({ id, children }: Readonly<{ id: (typeof aboutParts)[number]["id"]; children: ReactNode }>) {
  const title = aboutParts.find((part) => part.id === id)?.title;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mb-8">
      <h2 id={`${id}-title`} className="mb-3 text-base leading-6 font-semibold">
        {title}
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">{children}</div>
    </section>
  );
}

/** Leads to the parts. */
export function AboutIndex() {
  return (
    <nav aria-label="On this page" className="mb-5">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-table">
        {aboutParts.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-block py-1 pointer-coarse:py-3">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
