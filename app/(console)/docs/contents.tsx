import { Link } from "@/app/_components/ui/link";
import { MethodName } from "./operation-view";
import { anchorOf, type DocsSections, objectHref, operationHref } from "./sections";
import type { OpenApiDocument } from "@/app/_api/openapi/document";
import { Breakable } from "@/app/_components/ui/breakable";

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
                  <code className="min-w-0 font-mono">
                    <Breakable text={path} />
                  </code>
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

export function Contents({
  sections,
  objects,
  current,
}: Readonly<{
  sections: DocsSections;
  objects: readonly string[];
  /** Id of the operation, or name of the object; null: the overview. */
  current: string | null;
}>) {
  const nameClass = "font-semibold text-text no-underline hover:underline";
  return (
    <ul className="space-y-4 text-table">
      {sections.map(({ name, operations }) => (
        <li key={name}>
          <Link href={`/docs#${anchorOf(name)}`} className={nameClass}>
            {name}
          </Link>
          <ul className="mt-1 space-y-1">
            {operations.map(({ path, method, operation: { operationId } }) => (
              <li key={operationId}>
                <Link
                  href={operationHref(operationId)}
                  aria-current={operationId === current ? "page" : undefined}
                  className="flex gap-2 rounded-control py-0.5 no-underline hover:underline aria-[current]:bg-active aria-[current]:text-text"
                >
                  <MethodName method={method} />
                  <span className="min-w-0">
                    <Breakable text={path.replace(/^\/api\/v1/, "")} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <Link href="/docs#objects" className={nameClass}>
          Objects
        </Link>
        <ul className="mt-1 space-y-1">
          {objects.map((name) => (
            <li key={name}>
              <Link
                href={objectHref(name)}
                aria-current={name === current ? "page" : undefined}
                className="block rounded-control py-0.5 no-underline hover:underline aria-[current]:bg-active aria-[current]:text-text"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </li>
    </ul>
  );
}
