import { Fragment } from "react";
import type { Metadata } from "next";
import { routeSections } from "@/app/_api/routes";
import { MethodName, OperationView } from "@/app/(console)/docs/operation-view";
import { objectAnchor, SchemaView } from "@/app/(console)/docs/schema-view";
import { PageHeader } from "@/app/_components/page-header";
import { requireAdminPage } from "@/lib/auth/session";
import { buildDocument } from "@/lib/openapi/build-document";
import { type OpenApiDocument, type PathItem } from "@/lib/openapi/document";
import { packageVersion } from "@/lib/version";

export const metadata: Metadata = { title: "API" };
export const dynamic = "force-dynamic";

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The description of the API for people; made from the same document that tools read. */
export default async function DocsPage() {
  await requireAdminPage();
  const document = buildDocument(routeSections, packageVersion);
  const sections = listSections(document);
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav aria-label="Routes" className="hidden lg:block">
        <div className="sticky top-[calc(var(--header)+1.25rem)] max-h-[calc(100dvh-var(--header)-2.5rem)] overflow-y-auto py-1 pr-2">
          <Contents sections={sections} />
        </div>
      </nav>
      <div className="max-w-4xl min-w-0 space-y-10">
        <header className="space-y-3">
          <PageHeader title="API" description={`${document.info.title} ${document.info.version}`} />
          <p className="max-w-prose">{document.info.description.replaceAll("`", "")}</p>
          <p>
            <a href="/api/v1/openapi.json">This description for tools (OpenAPI 3.1)</a>
          </p>
          <details className="rounded-card border border-line bg-surface p-4 lg:hidden">
            <summary className="cursor-pointer font-semibold">Contents</summary>
            <nav aria-label="Contents" className="mt-3">
              <Contents sections={sections} />
            </nav>
          </details>
        </header>
        {sections.map(({ name, description, operations }) => (
          <section key={name} aria-labelledby={anchorOf(name)} className="space-y-4">
            <header>
              <h2 id={anchorOf(name)} className="text-lg leading-7 font-semibold tracking-tight">
                {name}
              </h2>
              <p className="text-muted">{description}</p>
            </header>
            {operations.map((one) => (
              <OperationView key={one.operation.operationId} {...one} responses={document.components.responses} />
            ))}
          </section>
        ))}
        <Objects schemas={document.components.schemas} />
      </div>
    </div>
  );
}

type Sections = ReturnType<typeof listSections>;

function listSections({ tags, paths }: OpenApiDocument) {
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: Object.entries(paths)
      .flatMap(([path, item]) => listOperations(path, item))
      .filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function listOperations(path: string, item: PathItem) {
  return methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation }];
  });
}

const anchorOf = (section: string) => section.toLowerCase().replaceAll(" ", "-");

function Contents({ sections }: Readonly<{ sections: Sections }>) {
  return (
    <ul className="space-y-4 text-table">
      {sections.map(({ name, operations }) => (
        <li key={name}>
          <a href={`#${anchorOf(name)}`} className="font-semibold text-text no-underline hover:underline">
            {name}
          </a>
          <ul className="mt-1 space-y-1">
            {operations.map(({ path, method, operation: { operationId } }) => (
              <li key={operationId}>
                <a href={`#${operationId}`} className="flex gap-2 py-0.5 no-underline hover:underline">
                  <MethodName method={method} />
                  <span className="min-w-0">{breakable(path.replace(/^\/api\/v1/, ""))}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#objects" className="font-semibold text-text no-underline hover:underline">
          Objects
        </a>
      </li>
    </ul>
  );
}

/** Long paths break before a slash. */
function breakable(path: string) {
  return path.split("/").map((word, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          <wbr />/
        </>
      )}
      {word}
    </Fragment>
  ));
}

function Objects({ schemas }: Readonly<{ schemas: OpenApiDocument["components"]["schemas"] }>) {
  return (
    <section aria-labelledby="objects" className="space-y-4">
      <header>
        <h2 id="objects" className="text-lg leading-7 font-semibold tracking-tight">
          Objects
        </h2>
        <p className="text-muted">What several routes answer with or take.</p>
      </header>
      {Object.entries(schemas).map(([name, schema]) => (
        <article key={name} id={objectAnchor(name)} className="rounded-card border border-line bg-surface p-4">
          <h3 className="font-semibold">{name}</h3>
          {schema.description !== undefined && <p className="text-sm text-muted">{schema.description}.</p>}
          <div className="mt-3">
            <SchemaView schema={schema} direction={name.endsWith("Input") ? "sent" : "received"} />
          </div>
        </article>
      ))}
    </section>
  );
}
