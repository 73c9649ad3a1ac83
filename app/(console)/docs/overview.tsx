import { Link } from "@/app/_components/ui/link";
import { MethodName } from "@/app/(console)/docs/operation-view";
import { anchorOf, type DocsSections, objectHref, operationHref } from "@/app/(console)/docs/sections";
import type { OpenApiDocument } from "@/lib/routes/openapi/document";

export function Overview({
  sections,
  schemas,
}: Readonly<{ sections: DocsSections; schemas: OpenApiDocument["components"]["schemas"] }>) {
  return (
    <>
      {sections.map(({ name, description, operations }) => (
        <section key={name} aria-labelledby={anchorOf(name)}>
          <h2 id={anchorOf(name)} className="text-lg leading-7 font-semibold tracking-tight">
            {name}
          </h2>
          <p className="text-muted">{description}</p>
          <ul className="mt-3 divide-y divide-line rounded-card border border-line bg-surface text-table">
            {operations.map(({ path, method, operation: { operationId, summary } }) => (
              <li key={operationId} className="px-4 py-2">
                <Link href={operationHref(operationId)} className="flex gap-2 no-underline hover:underline">
                  <MethodName method={method} />
                  <code className="min-w-0 font-mono wrap-anywhere">{path}</code>
                </Link>
                <p className="text-muted">{summary}.</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="objects">
        <h2 id="objects" className="text-lg leading-7 font-semibold tracking-tight">
          Objects
        </h2>
        <p className="text-muted">Shared by several routes.</p>
        <ul className="mt-3 divide-y divide-line rounded-card border border-line bg-surface text-table">
          {Object.entries(schemas).map(([name, { description }]) => (
            <li key={name} className="px-4 py-2">
              <Link href={objectHref(name)} className="font-medium">
                {name}
              </Link>
              {description !== undefined && <p className="text-muted">{description}.</p>}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
