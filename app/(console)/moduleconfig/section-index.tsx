const sections = [
  ["refresh", "Refresh"],
  ["notifications", "Notifications per minute"],
  ["addresses", "Addresses"],
  ["mapping", "Vehicle data mapping"],
  ["lock-screen", "Lock screen"],
  ["certificate", "Certificate"],
] as const;

/** Leads to the parts of a long page; on wide screens only. */
export function SectionIndex() {
  return (
    <nav aria-label="On this page" className="hidden xl:block">
      <ul className="sticky top-[calc(var(--header)+var(--strip)+1.5rem)] space-y-0.5 border-l border-line text-table">
        {sections.map(([id, label]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="-ml-px block border-l border-transparent py-1 pl-3 text-muted no-underline hover:border-accent hover:text-text"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
